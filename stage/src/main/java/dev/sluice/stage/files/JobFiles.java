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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one job: what its processes read, what they write, and a lock that tells whether
 * an agent looks after it. The lock goes with the agent, however it ends.
 */
public final class JobFiles implements AutoCloseable {
  private static final String CONTROL = "control";
  private static final String STATE = "state";
  private static final String LOCK = "lock";
  private static final String SOCKET = "socket";
  private static final String USER = "user";

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
    FileChannel lockFile = tryLock(directory);
    if (lockFile == null) {
      return null;
    }
    try {
      deleteAllButLock(directory);
      long token = ThreadLocalRandom.current().nextLong();
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
      deleteAllButLock(directory);
      Files.deleteIfExists(directory.resolve(LOCK));
      Files.deleteIfExists(directory);
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

  /** Who runs the job; whoever owns its files where nobody has written it down. */
  private static int userIn(Path directory) throws IOException {
    try {
      return Integer.parseInt(Files.readString(directory.resolve(USER)).strip());
    } catch (NoSuchFileException | NumberFormatException e) {
      return FileRights.userOf(directory.resolve(STATE));
    }
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

  /** Where an agent that looks after this job alone takes commands. */
  public Path socket() {
    return socketIn(directory);
  }

  static Path socketIn(Path directory) {
    return directory.resolve(SOCKET);
  }

  /** Takes the files away. Processes that still run have them mapped, and go on without limits. */
  public void delete() throws IOException {
    deleteAllButLock(directory);
    Files.deleteIfExists(directory.resolve(LOCK));
    Files.deleteIfExists(directory);
  }

  private static void deleteAllButLock(Path directory) throws IOException {
    for (String name : List.of(CONTROL, STATE, SOCKET, USER)) {
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
