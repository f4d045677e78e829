package dev.sluice.sim.scenario;

import dev.sluice.core.model.JobId;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentNode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The traces that a scenario names, each read once. */
final class Traces {
  private final Path directory;
  private final TargetNames targets;
  private final Map<Path, Map<JobId, List<Workload.TraceLine>>> read = new HashMap<>();

  /** Paths are relative to {@code directory}. */
  Traces(Path directory, TargetNames targets) {
    this.directory = directory;
    this.targets = targets;
  }

  /** The requests of a trace by job, the jobs in the order in which they appear. */
  Map<JobId, List<Workload.TraceLine>> byJob(DocumentNode file) {
    Path path;
    try {
      path = directory.resolve(file.text());
    } catch (InvalidPathException e) {
      throw file.error("expected the path of a file");
    }
    Map<JobId, List<Workload.TraceLine>> known = read.get(path);
    if (known != null) {
      return known;
    }
    Map<JobId, List<Workload.TraceLine>> byJob = new LinkedHashMap<>();
    try (Reader in = Files.newBufferedReader(path)) {
      TraceReader trace = new TraceReader(path.toString(), in, targets, TraceReader.REQUESTS_MAX);
      for (TraceReader.Entry entry = trace.next(); entry != null; entry = trace.next()) {
        if (!byJob.containsKey(entry.job()) && byJob.size() == Limits.JOBS_MAX) {
          throw new DocumentException(
              trace.place(), "expected at most " + Limits.JOBS_MAX + " jobs in a trace");
        }
        byJob.computeIfAbsent(entry.job(), job -> new ArrayList<>()).add(entry.request());
      }
    } catch (NoSuchFileException e) {
      throw file.error("no such file");
    } catch (IOException e) {
      throw file.error("cannot be read: " + e.getMessage());
    }
    if (byJob.isEmpty()) {
      throw file.error("there is no request in the trace");
    }
    read.put(path, byJob);
    return byJob;
  }
}
