package dev.sluice.stage.files;

import dev.sluice.stage.layout.StageLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file system in memory for the files of one job of another user, with room for them and no more.
 * Whoever may write to a file may make it longer, and where all jobs' files and the system's own
 * share one file system, a job could fill it for everybody.
 */
final class JobMount {
  private static final System.Logger LOG = System.getLogger(JobMount.class.getName());

  /** What else is there: the user's number, and what the file system needs for itself. */
  private static final int MORE_BYTES = 16 << 10;

  private static final int FILES_MAX = 8;
  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

  /** A line of it: what is before the mount point, that, and how it is shared with others. */
  private static final Pattern MOUNT =
      Pattern.compile("(?m)^\\S+ \\S+ \\S+ \\S+ (\\S+) \\S+ (.*?)- \\S+ ");

  private JobMount() {}

  /** Puts a file system of its own on a job's directory, unless one is there or none can be. */
  static void make(Path directory) throws IOException {
    if (isThere(directory) || !isSeenByOthers(directory)) {
      return;
    }
    String options =
        "mode=711,nr_inodes="
            + FILES_MAX
            + ",size="
            + (StageLayout.CONTROL_BYTES + StageLayout.STATE_BYTES + MORE_BYTES);
    if (!NativeCalls.mountInMemory(directory.toString(), options)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0}: no file system of its own can be mounted; its job could fill the one that it is on",
          directory);
    }
  }

  /** Takes it away; who has files of it in memory keeps them. */
  static void remove(Path directory) throws IOException {
    if (Files.isDirectory(directory) && isThere(directory)) {
      NativeCalls.unmount(directory.toString());
    }
  }

  private static boolean isThere(Path directory) throws IOException {
    Path above = directory.toAbsolutePath().getParent();
    return above != null
        && !Files.getAttribute(directory, "unix:dev").equals(Files.getAttribute(above, "unix:dev"));
  }

  /**
   * A service may have mounts of its own, which follow the system's and are not followed by it:
   * what it mounts, its node's jobs would not see.
   */
  private static boolean isSeenByOthers(Path directory) throws IOException {
    Path real = directory.toRealPath();
    Matcher mounts = MOUNT.matcher(Files.readString(MOUNTS));
    Path nearest = Path.of("");
    boolean follows = false;
    while (mounts.find()) {
      Path point = Path.of(mounts.group(1));
      if (real.startsWith(point) && point.getNameCount() >= nearest.getNameCount()) {
        nearest = point;
        follows = mounts.group(2).contains("master:");
      }
    }
    return !follows;
  }
}
