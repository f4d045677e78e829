package dev.sluice.gateway.identify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The names of users and groups, as the name service has them. It may be slow or down, and requests
 * must not wait for it: who is not known yet has a number instead, and whoever keeps what follows
 * from a name asks {@link #arrivals} and {@link #changes} whether it still holds. Those in this
 * machine's files have their names from the start. Safe for use by many threads.
 */
public final class UserNames {
  /** Nobody has a name. */
  public static final UserNames NONE =
      new UserNames(
          new NameService() {
            @Override
            public @Nullable String userName(int uid) {
              return null;
            }

            @Override
            public @Nullable String groupName(int gid) {
              return null;
            }

            @Override
            public int @Nullable [] groupsOf(int uid) {
              return null;
            }

            @Override
            public @Nullable Integer userNumber(String name) {
              return null;
            }

            @Override
            public @Nullable Integer groupNumber(String name) {
              return null;
            }
          },
          Runnable::run,
          System::nanoTime);

  private static final int THREADS = 2;

  /** A listing may be of thousands whom nobody knows yet: not each of them is waited for. */
  private static final long WAITS_NANOS_MAX = 5 * Patience.MOMENT_NANOS;

  private static final int NAME_FIELD = 0;
  private static final int NUMBER_FIELD = 2;
  private static final long FILE_BYTES_MAX = 64 << 20;

  private final LateAnswers<Integer, String> users;
  private final LateAnswers<Integer, String> groups;
  private final Patience<Integer, String> patienceForUsers;
  private final Patience<Integer, String> patienceForGroups;
  private final AtomicLong arrivals = new AtomicLong();
  private final AtomicLong changes = new AtomicLong();
  private volatile long lookedNanos;

  /** One for all that this process does. */
  private static final class OfThisMachine {
    static final UserNames NAMES = read(Path.of("/etc/passwd"), Path.of("/etc/group"));

    private static UserNames read(Path users, Path groups) {
      UserNames names =
          new UserNames(
              NameService.OF_THIS_MACHINE, NameThreads.of("names-", THREADS), System::nanoTime);
      names.suppose(users, groups);
      return names;
    }
  }

  UserNames(NameService service, Executor threads, LateAnswers.Clock clock) {
    this.users =
        new LateAnswers<>(
            uid -> nameOr(uid, service.userName(uid)), threads, clock, this::answered);
    this.groups =
        new LateAnswers<>(
            gid -> nameOr(gid, service.groupName(gid)), threads, clock, this::answered);
    this.patienceForUsers = new Patience<>(users, WAITS_NANOS_MAX, clock);
    this.patienceForGroups = new Patience<>(groups, WAITS_NANOS_MAX, clock);
    this.lookedNanos = clock.nanos();
  }

  /** As this machine's own name service has them. */
  public static UserNames ofThisMachine() {
    return OfThisMachine.NAMES;
  }

  private void answered(boolean isFirst) {
    (isFirst ? arrivals : changes).incrementAndGet();
  }

  private static String nameOr(int number, @Nullable String name) {
    return name == null || name.isEmpty() ? Integer.toUnsignedString(number) : name;
  }

  /**
   * Has names hold until they are asked for; what makes no sense, and what is not there, passes.
   */
  void suppose(Path userFile, Path groupFile) {
    suppose(userFile, users);
    suppose(groupFile, groups);
  }

  private static void suppose(Path file, LateAnswers<Integer, String> names) {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        return;
      }
      for (String line : Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList()) {
        String[] fields = line.split(":", -1);
        if (names.size() < LateAnswers.KEYS_MAX / 2
            && fields.length > NUMBER_FIELD
            && !fields[NAME_FIELD].isEmpty()
            && fields[NUMBER_FIELD].matches("\\d{1,9}")) {
          names.suppose(Integer.parseInt(fields[NUMBER_FIELD]), fields[NAME_FIELD]);
        }
      }
    } catch (IOException e) {
      // The name service will be asked about each.
    }
  }

  /** The user's name, or number where there is no name or it is not known yet. */
  public String user(int uid) {
    String known = userIfKnown(uid);
    return known == null ? Integer.toUnsignedString(uid) : known;
  }

  /** The group's name, or number where there is no name or it is not known yet. */
  public String group(int gid) {
    String known = groupIfKnown(gid);
    return known == null ? Integer.toUnsignedString(gid) : known;
  }

  /** The user's name, or number where there is no name; null when that is not known yet. */
  @Nullable String userIfKnown(int uid) {
    return users.get(uid);
  }

  /** The group's name, or number where there is no name; null when that is not known yet. */
  @Nullable String groupIfKnown(int gid) {
    return groups.get(gid);
  }

  /**
   * The user's name, for which is waited for a moment where it is not known yet; null where there
   * is none, or none was heard of in that time.
   */
  public @Nullable String userSoon(int uid) {
    return nameAlone(uid, patienceForUsers.get(uid));
  }

  /** As {@link #userSoon}, of a group. */
  public @Nullable String groupSoon(int gid) {
    return nameAlone(gid, patienceForGroups.get(gid));
  }

  private static @Nullable String nameAlone(int number, @Nullable String known) {
    return known == null || known.equals(Integer.toUnsignedString(number)) ? null : known;
  }

  /** Grows when something becomes known of somebody of whom nothing was. */
  long arrivals() {
    return arrivals.get();
  }

  /** Grows when somebody's name has changed, and when it is time to ask again about all. */
  long changes() {
    return changes.get();
  }

  /** To be called now and then, so that names that others keep are asked about again. */
  public void look(long nowNanos) {
    if (nowNanos - lookedNanos >= LateAnswers.FRESH_NANOS) {
      lookedNanos = nowNanos;
      changes.incrementAndGet();
    }
  }
}
