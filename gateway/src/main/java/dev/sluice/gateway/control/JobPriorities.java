package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cadence;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The priorities that somebody gave single jobs: by command, or by a file for each job, {@code
 * DIRECTORY/JOB/priority}, as a tool beside the job would write it. A command counts more than a
 * file. Safe for use by many threads.
 */
public final class JobPriorities {
  /** More than anybody gives by hand, and a bound on what is read every second. */
  static final int JOBS_MAX = 1_000;

  private static final System.Logger LOG = System.getLogger(JobPriorities.class.getName());
  private static final String FILE = "priority";
  private static final int FILE_BYTES_MAX = 64;

  private final Path directory;
  private final Map<JobId, Cadence.Prioritised> byCommand = new HashMap<>();
  private Map<JobId, Cadence.Prioritised> byFile = Map.of();

  /** What was said about files that cannot be used, so that it is said once. */
  private @Nullable String problem;

  /** Makes the directory if it is not there. */
  public JobPriorities(Path directory) throws IOException {
    this.directory = directory;
    Files.createDirectories(directory);
  }

  /** Reads a priority: a number from 0.000000001 to 1000. */
  public static Cadence.Prioritised parse(String text) {
    double priority = Double.NaN;
    try {
      priority = new BigDecimal(text.strip()).doubleValue();
    } catch (NumberFormatException _) {
      // What is not a number is refused like one that is out of range.
    }
    if (!(priority >= Cadence.Prioritised.PRIORITY_MIN
        && priority <= Cadence.Prioritised.PRIORITY_MAX)) {
      throw new IllegalArgumentException("expected a number from 0.000000001 to 1000, such as 0.1");
    }
    return new Cadence.Prioritised(priority);
  }

  /** Gives a job a priority until it is cleared. */
  public synchronized void set(JobId job, double priority) {
    if (!byCommand.containsKey(job) && byCommand.size() >= JOBS_MAX) {
      throw new IllegalArgumentException(
          "there are priorities for " + JOBS_MAX + " jobs already; clear some");
    }
    byCommand.put(job, new Cadence.Prioritised(priority));
  }

  /** Forgets what was set for a job; its file stays. */
  public synchronized void clear(JobId job) {
    byCommand.remove(job);
  }

  /** Those that were set by command. */
  public synchronized Map<JobId, Cadence.Prioritised> set() {
    return Map.copyOf(byCommand);
  }

  /** All of them. */
  public synchronized Map<JobId, Cadence.Prioritised> all() {
    Map<JobId, Cadence.Prioritised> all = new HashMap<>(byFile);
    all.putAll(byCommand);
    return all;
  }

  /** Reads the files again; one that cannot be used counts as none, and is logged once. */
  public void poll() {
    Map<JobId, Cadence.Prioritised> read = new HashMap<>();
    StringBuilder wrong = new StringBuilder();
    try (DirectoryStream<Path> jobs = Files.newDirectoryStream(directory)) {
      for (Path job : jobs) {
        if (read.size() >= JOBS_MAX) {
          wrong.append("; there are more than ").append(JOBS_MAX).append(" files");
          break;
        }
        try {
          Cadence.Prioritised priority = read(job.resolve(FILE));
          if (priority != null) {
            read.put(JobId.of(String.valueOf(job.getFileName())), priority);
          }
        } catch (IOException | IllegalArgumentException e) {
          wrong.append("; ").append(job.resolve(FILE)).append(": ").append(e.getMessage());
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      wrong.append("; ").append(directory).append(" cannot be read: ").append(e.getMessage());
    }
    takeOver(read, wrong.isEmpty() ? null : wrong.substring(2));
  }

  private static Cadence.@Nullable Prioritised read(Path file) throws IOException {
    try {
      if (Files.size(file) > FILE_BYTES_MAX) {
        throw new IllegalArgumentException("expected a number, not " + Files.size(file) + " bytes");
      }
      String text = Files.readString(file);
      // A shell makes the file before it writes to it.
      return text.isBlank() ? null : parse(text);
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  private synchronized void takeOver(Map<JobId, Cadence.Prioritised> read, @Nullable String wrong) {
    byFile = read;
    if (wrong != null && !wrong.equals(problem)) {
      LOG.log(System.Logger.Level.WARNING, "priorities: " + wrong);
    }
    problem = wrong;
  }
}
