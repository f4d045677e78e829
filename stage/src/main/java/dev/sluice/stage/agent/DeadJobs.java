package dev.sluice.stage.agent;

import dev.sluice.core.model.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds jobs that nobody told us the end of: no process has had their files for a long time. Not
 * thread-safe.
 */
final class DeadJobs {
  private final Path processes;
  private final long patienceNanos;
  private final Map<JobId, Long> aliveAtNanos = new HashMap<>();

  /**
   * Nothing is dead yet.
   *
   * @param processes {@code /proc}
   * @param patienceNanos how long a job may be without processes, as between two of its steps
   */
  DeadJobs(Path processes, long patienceNanos) {
    this.processes = processes;
    this.patienceNanos = patienceNanos;
  }

  /** Counts the processes of each job; those that have been without one for too long. */
  List<StagedJob> among(List<StagedJob> jobs, long nowNanos) throws IOException {
    Map<String, Integer> mapped = mappedFiles();
    Set<JobId> known = new HashSet<>();
    List<StagedJob> dead = new ArrayList<>();
    for (StagedJob job : jobs) {
      known.add(job.id());
      job.processes(mapped.getOrDefault(job.files().stateFile().toString(), 0));
      if (job.processes() > 0) {
        aliveAtNanos.put(job.id(), nowNanos);
      } else if (nowNanos - aliveAtNanos.computeIfAbsent(job.id(), _ -> nowNanos) > patienceNanos) {
        dead.add(job);
      }
    }
    aliveAtNanos.keySet().retainAll(known);
    return dead;
  }

  /** The files that processes have in their memory, as far as we may see: how many have each. */
  private Map<String, Integer> mappedFiles() throws IOException {
    Map<String, Integer> files = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
      for (Path process : all) {
        try {
          // Paths are bytes: no name may make the others unreadable.
          String maps =
              new String(Files.readAllBytes(process.resolve("maps")), StandardCharsets.UTF_8);
          maps.lines()
              .filter(line -> line.indexOf('/') >= 0)
              .map(line -> line.substring(line.indexOf('/')))
              .distinct()
              .forEach(file -> files.merge(file, 1, Integer::sum));
        } catch (IOException e) {
          // It has ended, or is not ours to look at.
        }
      }
    }
    return files;
  }
}
