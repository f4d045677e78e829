package dev.sluice.gateway.identify;

import dev.sluice.gateway.export.GroupLists;
import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The groups of users as the name service has them. As long as nothing is known of a user, a call
 * is told to come again (JUKEBOX): it can neither be refused nor granted.
 *
 * <p>A name service that answers at once is waited for, for a moment, lest everybody's first call
 * takes the seconds after which clients come again.
 */
public final class UserGroups implements GroupLists {
  private static final int THREADS = 4;

  private final Patience<Integer, Groups> answers;

  /** What is known of a user. */
  private static final class Groups {
    /** Null when nobody knows the user. */
    private final int @Nullable [] numbers;

    Groups(int @Nullable [] numbers) {
      this.numbers = numbers;
    }
  }

  /** One for all exports. */
  private static final class OfThisMachine {
    static final UserGroups GROUPS =
        new UserGroups(
            NameService.OF_THIS_MACHINE, NameThreads.of("groups-", THREADS), System::nanoTime);
  }

  UserGroups(NameService service, Executor threads, LateAnswers.Clock clock) {
    LateAnswers<Integer, Groups> late =
        new LateAnswers<>(uid -> new Groups(service.groupsOf(uid)), threads, clock, _ -> {});
    this.answers = new Patience<>(late, Long.MAX_VALUE, clock);
  }

  /** As this machine's own name service has them. */
  public static UserGroups ofThisMachine() {
    return OfThisMachine.GROUPS;
  }

  @Override
  public int @Nullable [] of(int uid) throws FileException {
    Groups known = answers.get(uid);
    if (known == null) {
      throw new FileException(Nfs3Status.JUKEBOX, "the groups of this user are being looked up");
    }
    return known.numbers;
  }
}
