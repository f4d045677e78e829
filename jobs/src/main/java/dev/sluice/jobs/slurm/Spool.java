package dev.sluice.jobs.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which Slurm's hooks keep a file for every job that runs: made when it begins,
 * taken away when it ends. It is a state and not a line of messages, so that nothing is lost while
 * nobody looks, and several may look. Not thread-safe.
 *
 * <p>A look costs one question about the directory itself, unless something in it has changed.
 */
final class Spool {
  /** The job's number, and how often it was put back into the queue. */
  private static final Pattern NAME = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,9})");

  /** Room for the longest list of nodes, and more. */
  private static final int FILE_BYTES_MAX = 2 * SlurmJob.NODE_LIST_LENGTH_MAX;

  /**
   * For so many looks after a change the directory is read again: two changes may be so close that
   * the second leaves the same time behind as the first.
   */
  private static final int LOOKS_AFTER_CHANGE = 8;

  private final Path directory;
  private Map<String, Entry> entries = Map.of();
  private Map<Long, SlurmJob> jobs = Map.of();
  private @Nullable FileTime changedAt;
  private int looksLeft;
  private @Nullable String directoryProblem;
  private @Nullable String fileProblem;

  /** A file: the job in it, or what is wrong with it. */
  private record Entry(@Nullable SlurmJob job, int restarts, @Nullable String problem) {}

  Spool(Path directory) {
    this.directory = directory;
  }

  /** Looks; says whether other jobs are there than before. Where it cannot, those stay. */
  boolean look() {
    try {
      PosixFileAttributes seen =
          Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!seen.isDirectory()) {
        directoryProblem = directory + ": expected a directory";
        return false;
      }
      if (seen.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
        directoryProblem =
            directory + ": not believed, because everybody may write there; chmod o-w it";
        return false;
      }
      if (!seen.lastModifiedTime().equals(changedAt)) {
        changedAt = seen.lastModifiedTime();
        looksLeft = LOOKS_AFTER_CHANGE;
      }
      directoryProblem = null;
      if (looksLeft == 0) {
        return false;
      }
      looksLeft--;
      return read();
    } catch (NoSuchFileException e) {
      directoryProblem = directory + ": no such directory";
    } catch (IOException | DirectoryIteratorException e) {
      directoryProblem = directory + ": cannot be read: " + e.getMessage();
    }
    return false;
  }

  private boolean read() throws IOException {
    Set<String> names = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path file : all) {
        String name = String.valueOf(file.getFileName());
        if (NAME.matcher(name).matches()) {
          names.add(name);
        }
        if (names.size() > SlurmJob.JOBS_MAX) {
          throw new IOException("more than " + SlurmJob.JOBS_MAX + " files");
        }
      }
    }
    if (names.equals(entries.keySet())) {
      return false;
    }
    Map<String, Entry> now = HashMap.newHashMap(names.size());
    for (String name : names) {
      Entry known = entries.get(name);
      // A file is put in place whole and never written again.
      now.put(name, known == null ? entry(name) : known);
    }
    entries = now;
    Map<Long, SlurmJob> current = HashMap.newHashMap(now.size());
    Map<Long, Integer> restarts = HashMap.newHashMap(now.size());
    fileProblem = null;
    for (Entry entry : now.values()) {
      SlurmJob job = entry.job;
      if (job == null) {
        fileProblem = entry.problem;
      } else if (restarts.getOrDefault(job.id(), -1) < entry.restarts) {
        restarts.put(job.id(), entry.restarts);
        current.put(job.id(), job);
      }
    }
    boolean changed = !current.equals(jobs);
    jobs = current;
    return changed;
  }

  private Entry entry(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new IllegalStateException("a name that was not chosen: " + name);
    }
    Path file = directory.resolve(name);
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] content = in.readNBytes(FILE_BYTES_MAX + 1);
      if (content.length > FILE_BYTES_MAX) {
        throw new IllegalArgumentException("longer than " + FILE_BYTES_MAX + " bytes");
      }
      SlurmJob job =
          SpoolFile.parse(
              Long.parseLong(parts.group(1)), new String(content, StandardCharsets.UTF_8));
      return new Entry(job, Integer.parseInt(parts.group(2)), null);
    } catch (IOException | IllegalArgumentException e) {
      return new Entry(null, 0, file + ": " + e.getMessage());
    }
  }

  /** The jobs whose files are there. */
  Map<Long, SlurmJob> jobs() {
    return jobs;
  }

  Path directory() {
    return directory;
  }

  /** What is wrong with the directory, or with a file in it; null when nothing is. */
  @Nullable String problem() {
    return directoryProblem != null ? directoryProblem : fileProblem;
  }
}
