package dev.sluice.gateway.identify;

import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of users and groups, as the name service has them. As long as nothing is known about
 * a name, a call is told to come again (JUKEBOX). Safe for use by many threads.
 */
public final class UserNumbers {
  /** The longest name that is asked about: Linux has none that is longer. */
  private static final int NAME_LENGTH_MAX = 256;

  private static final int THREADS = 2;

  private final Patience<String, Optional<Integer>> users;
  private final Patience<String, Optional<Integer>> groups;

  /** One for all that this process does. */
  private static final class OfThisMachine {
    static final UserNumbers NUMBERS =
        new UserNumbers(
            NameService.OF_THIS_MACHINE, NameThreads.of("numbers-", THREADS), System::nanoTime);
  }

  UserNumbers(NameService service, Executor threads, LateAnswers.Clock clock) {
    this.users = patience(name -> Optional.ofNullable(service.userNumber(name)), threads, clock);
    this.groups = patience(name -> Optional.ofNullable(service.groupNumber(name)), threads, clock);
  }

  private static Patience<String, Optional<Integer>> patience(
      LateAnswers.Question<String, Optional<Integer>> question,
      Executor threads,
      LateAnswers.Clock clock) {
    return new Patience<>(
        new LateAnswers<>(question, threads, clock, _ -> {}), Long.MAX_VALUE, clock);
  }

  /** As this machine's own name service has them. */
  public static UserNumbers ofThisMachine() {
    return OfThisMachine.NUMBERS;
  }

  /** The user's number; null where there is no such user. */
  public @Nullable Integer user(String name) throws FileException {
    return find(users, name);
  }

  /** The group's number; null where there is no such group. */
  public @Nullable Integer group(String name) throws FileException {
    return find(groups, name);
  }

  private static @Nullable Integer find(Patience<String, Optional<Integer>> where, String name)
      throws FileException {
    // A zero byte would end the name for the C library.
    if (name.length() > NAME_LENGTH_MAX || name.indexOf(0) >= 0) {
      return null;
    }
    Optional<Integer> known = where.get(name);
    if (known == null) {
      throw new FileException(Nfs3Status.JUKEBOX, "this name is being looked up");
    }
    return known.orElse(null);
  }
}
