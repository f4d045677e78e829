package dev.sluice.stage.files;

import dev.sluice.core.model.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a node's agents keep the library and the files of all jobs. Others may walk through it to
 * what they are let in to, and see nothing of it.
 */
public record StageDirectory(Path path) {
  /** Names of files have bytes; an id may need three for each of its own. */
  private static final int NAME_BYTES_MAX = 240;

  private static final String JOBS = "jobs";
  private static final String SOCKET = "agent.socket";

  /** The directory of this user: the node's own for root, a private one for everybody else. */
  public static StageDirectory ofThisUser() {
    int user = FileRights.ownUser();
    // Who is root in a user namespace of his own has no right to the node's directory.
    if (user == 0 && isOwnDirectory(Path.of("/run"))) {
      return new StageDirectory(Path.of("/run/sluice"));
    }
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    return new StageDirectory(
        runtime != null && runtime.startsWith("/") && isOwnDirectory(Path.of(runtime))
            ? Path.of(runtime, "sluice")
            : Path.of("/tmp", "sluice-" + user));
  }

  private static boolean isOwnDirectory(Path directory) {
    try {
      return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
          && FileRights.userOf(directory) == FileRights.ownUser();
    } catch (IOException e) {
      return false;
    }
  }

  /** The user that this program runs as, and jobs belong to unless something else is said. */
  public static int thisUser() {
    return FileRights.ownUser();
  }

  /** Makes the directory, or checks that the one that is there is ours alone. */
  public void prepare() throws IOException {
    makeReachable(path);
    makeReachable(path.resolve(JOBS));
  }

  /** Where the agent that looks after many jobs takes commands. */
  public Path agentSocket() {
    return path.resolve(SOCKET);
  }

  /**
   * Makes the files of a new job.
   *
   * @param user who runs it
   * @throws IllegalStateException when another agent has this job
   */
  public JobFiles create(JobId job, int user, List<Path> mounts, long nowNanos) throws IOException {
    JobFiles files = JobFiles.create(directoryOf(job), user, mounts, nowNanos);
    if (files == null) {
      throw new IllegalStateException("job " + job + " is looked after already");
    }
    return files;
  }

  /** Takes over the files of a job that nobody looks after; null when somebody does. */
  public @Nullable JobFiles adopt(JobId job) throws IOException {
    return JobFiles.adopt(directoryOf(job));
  }

  /** Opens the files of a run, to write into them once; null when there is no such run here. */
  public @Nullable JobFiles openRun(JobId job) throws IOException {
    return JobFiles.openRun(directoryOf(job));
  }

  /** All jobs with files here. */
  public List<JobId> jobs() throws IOException {
    List<JobId> jobs = new ArrayList<>();
    Path directory = path.resolve(JOBS);
    if (!Files.isDirectory(directory)) {
      return jobs;
    }
    try (Stream<Path> names = Files.list(directory)) {
      for (Path name : names.sorted().toList()) {
        jobs.add(JobId.of(decode(String.valueOf(name.getFileName()))));
      }
    }
    return jobs;
  }

  /**
   * What the processes of a job are told: the token that its files have, and where they are. The
   * token is what they trust; whose the files seem to be differs where users have other numbers.
   */
  public static String entry(Path jobDirectory) throws IOException {
    if (jobDirectory.toString().indexOf(':') >= 0) {
      throw new IOException(jobDirectory + ": expected a directory without a colon in its name");
    }
    return String.format(
        Locale.ROOT, "%016x@%s", JobFiles.tokenIn(jobDirectory), jobDirectory.toAbsolutePath());
  }

  /** The directory that a job's processes are told of. */
  public Path directoryOf(JobId job) {
    String name = encode(job.toString());
    if (name.length() > NAME_BYTES_MAX) {
      throw new IllegalArgumentException(
          "job " + job + ": expected an id that makes a file name of at most " + NAME_BYTES_MAX);
    }
    return path.resolve(JOBS).resolve(name);
  }

  /**
   * Makes a directory that others may walk through but not list. One that is there must be ours:
   * whoever owns it could put anything in it.
   */
  static void makeReachable(Path directory) throws IOException {
    var rights = PosixFilePermissions.fromString("rwx--x--x");
    try {
      Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(rights));
      Files.setPosixFilePermissions(directory, rights); // Whatever the mask took away.
    } catch (FileAlreadyExistsException e) {
      if (!isOwnDirectory(directory)) {
        throw new IOException(directory + ": expected a directory of our own", e);
      }
      Files.setPosixFilePermissions(directory, rights);
    }
  }

  /** A file name for any id: what is no letter, digit, dash, dot or underscore goes by number. */
  private static String encode(String id) {
    StringBuilder name = new StringBuilder();
    for (byte next : id.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (next & 0xff);
      boolean plain =
          (letter >= 'a' && letter <= 'z')
              || (letter >= 'A' && letter <= 'Z')
              || (letter >= '0' && letter <= '9')
              || letter == '-'
              || letter == '_'
              || (letter == '.' && !name.isEmpty());
      name.append(plain ? String.valueOf(letter) : String.format(Locale.ROOT, "%%%02X", next));
    }
    return name.toString();
  }

  private static String decode(String name) {
    byte[] bytes = new byte[name.length()];
    int length = 0;
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) == '%') {
        bytes[length++] = (byte) Integer.parseInt(name, i + 1, i + 3, 16);
        i += 2;
      } else {
        bytes[length++] = (byte) name.charAt(i);
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }
}
