package dev.sluice.stage.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one job: what its processes read, what they write, and a lock that tells whether
 * an agent looks after it. The lock goes with the agent, however it ends.
 */
public final class JobFiles implements AutoCloseable {
  private static final String CONTROL = "control";
  private static final String STATE = "state";
  private static final String LOCK = "lock";
  private static final String USER = "user";

  /** The byte of the lock that whoever writes into a run's control takes. */
  private static final long WRITERS_BYTE = 1;

  /** A job's token is what its processes trust its files by. */
  private static final SecureRandom TOKENS = new SecureRandom();

  private static final long TURN_PATIENCE_NANOS = 1_000_000_000;
  private static final long TURN_RETRY_NANOS = 5_000_000;

  private final Path directory;
  private final FileChannel lockFile;
  private final ControlFile control;
  private final StateFile state;
  private final int user;

  private JobFiles(
      Path directory, FileChannel lockFile, ControlFile control, StateFile state, int user) {
    this.directory = directory;
    this.user = user;
    this.lockFile = lockFile;
    this.control = control;
    this.state = state;
  }

  /**
   * Makes the files of a new job; what a dead agent left under its name is taken away.
   *
   * @param user who runs the job, and is let in
   * @return null when another agent has this job
   */
  static @Nullable JobFiles create(Path directory, int user, List<Path> mounts, long nowNanos)
      throws IOException {
    StageDirectory.makeReachable(directory);
    if (user != FileRights.ownUser()) {
      JobMount.make(directory);
    }
    FileChannel lockFile = tryLock(directory);
    if (lockFile == null) {
      return null;
    }
    try {
      deleteAllButLock(directory);
      long token = TOKENS.nextLong();
      Path stateFile = directory.resolve(STATE);
      StateFile state = StateFile.create(stateFile, token);
      FileRights.grant(stateFile, user, FileRights.READ_AND_WRITE);
      Path controlFile = directory.resolve(CONTROL);
      ControlFile control = ControlFile.create(controlFile, token, mounts, nowNanos);
      FileRights.grant(controlFile, user, FileRights.READ);
      Files.writeString(directory.resolve(USER), Integer.toString(user));
      control.complete();
      return new JobFiles(directory, lockFile, control, state, user);
    } catch (IOException | RuntimeException e) {
      deleteAll(directory);
      lockFile.close();
      throw e;
    }
  }

  /**
   * Takes over the files that a dead agent left.
   *
   * @return null when another agent has this job
   */
  static @Nullable JobFiles adopt(Path directory) throws IOException {
    FileChannel lockFile = tryLock(directory);
    if (lockFile == null) {
      return null;
    }
    ControlFile control = null;
    try {
      control = ControlFile.open(directory.resolve(CONTROL));
      StateFile state = StateFile.open(directory.resolve(STATE));
      if (!state.belongsTo(control.token())) {
        state.close();
        throw new IOException(directory + ": control and state are not of the same job");
      }
      return new JobFiles(directory, lockFile, control, state, userIn(directory));
    } catch (IOException | RuntimeException e) {
      if (control != null) {
        control.close();
      }
      lockFile.close();
      throw e;
    }
  }

  /**
   * Opens the files of a run, to write into them once: it has nobody who takes commands, but lets
   * others write who take turns.
   *
   * @return null when there is no such run, or an agent looks after it
   */
  static @Nullable JobFiles openRun(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return null;
    }
    FileChannel lockFile = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE);
    ControlFile control = null;
    try {
      control = ControlFile.open(directory.resolve(CONTROL));
      if (control.holdsByItself() && takesTurn(lockFile)) {
        StateFile state = StateFile.open(directory.resolve(STATE));
        return new JobFiles(directory, lockFile, control, state, userIn(directory));
      }
    } catch (IOException | RuntimeException e) {
      if (control != null) {
        control.close();
      }
      lockFile.close();
      throw e;
    }
    control.close();
    lockFile.close();
    return null;
  }

  /** Whether it becomes our turn to write; a run's monitor takes its own for microseconds. */
  private static boolean takesTurn(FileChannel lockFile) throws IOException {
    long untilNanos = System.nanoTime() + TURN_PATIENCE_NANOS;
    while (lockFile.tryLock(WRITERS_BYTE, 1, false) == null) {
      if (System.nanoTime() - untilNanos > 0) {
        return false;
      }
      LockSupport.parkNanos(TURN_RETRY_NANOS);
    }
    return true;
  }

  /** Who runs the job; whoever owns its files where nobody has written it down. */
  private static int userIn(Path directory) throws IOException {
    try {
      return Integer.parseInt(Files.readString(directory.resolve(USER)).strip());
    } catch (NoSuchFileException | NumberFormatException e) {
      return FileRights.userOf(directory.resolve(STATE));
    }
  }

  /** The token of a job that somebody, perhaps another program, looks after. */
  static long tokenIn(Path directory) throws IOException {
    return ControlFile.readToken(directory.resolve(CONTROL));
  }

  private static @Nullable FileChannel tryLock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another agent in this very program has it.
    }
    if (lock == null) {
      channel.close();
      return null;
    }
    return channel;
  }

  public Path directory() {
    return directory;
  }

  /** Who runs the job. */
  public int user() {
    return user;
  }

  public ControlFile control() {
    return control;
  }

  public StateFile state() {
    return state;
  }

  /** What every process of the job has in its memory. */
  public Path stateFile() {
    return directory.resolve(STATE);
  }

  /** Takes the files away. Processes that still run have them mapped, and go on without limits. */
  public void delete() throws IOException {
    deleteAll(directory);
  }

  private static void deleteAll(Path directory) throws IOException {
    deleteAllButLock(directory);
    Files.deleteIfExists(directory.resolve(LOCK));
    JobMount.remove(directory);
    Files.deleteIfExists(directory);
  }

  private static void deleteAllButLock(Path directory) throws IOException {
    for (String name : List.of(CONTROL, STATE, USER)) {
      try {
        Files.deleteIfExists(directory.resolve(name));
      } catch (NoSuchFileException e) {
        // The directory itself is gone.
      }
    }
  }

  /** Leaves the files to the next agent. */
  @Override
  public void close() throws IOException {
    control.close();
    state.close();
    lockFile.close();
  }
}
