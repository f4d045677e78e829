package dev.sluice.sim.scenario;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.text.Suggestion;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.ShareGroupingReader;
import dev.sluice.sim.engine.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Reads the jobs of a scenario: written one by one, many alike, or found in a trace. */
final class JobsReader {
  private final long endNanos;
  private final long clusterNodes;
  private final long seed;
  private final Traces traces;
  private final ProcessesReader processesReader;

  private final Map<JobId, JobSpec> jobs = new LinkedHashMap<>();
  private long processCount;

  JobsReader(long endNanos, long clusterNodes, long seed, TargetNames targets, Traces traces) {
    this.endNanos = endNanos;
    this.clusterNodes = clusterNodes;
    this.seed = seed;
    this.traces = traces;
    this.processesReader = new ProcessesReader(endNanos, targets, traces);
  }

  List<JobSpec> jobs() {
    return List.copyOf(jobs.values());
  }

  /** The mapping of names to jobs. */
  void readWritten(DocumentNode node) {
    DocumentMap written = node.openMap();
    for (Map.Entry<String, DocumentNode> entry : written.entries().entrySet()) {
      readJob(written, entry.getKey(), entry.getValue());
    }
    if (jobs.isEmpty()) {
      throw node.error("expected at least one job");
    }
  }

  private void readJob(DocumentMap written, String key, DocumentNode node) {
    ScenarioReader.checkName(written, key);
    DocumentMap map =
        node.map(
            "nodes",
            "user",
            "account",
            "group",
            "on",
            "submit",
            "estimate",
            "repeat",
            "submit-every",
            "arrivals",
            "processes");
    long nodes = nodes(map.optional("nodes"));
    String user = ShareGroupingReader.name(map.optional("user"), key);
    String account = ShareGroupingReader.name(map.optional("account"), "");
    String group = ShareGroupingReader.name(map.optional("group"), "");
    DocumentNode on = map.optional("on");
    String place = on == null ? "" : ScenarioReader.name(on);
    long estimateNanos = estimateNanos(map.optional("estimate"));
    List<ProcessGroup> processes = processesReader.read(map.required("processes"), key);
    boolean alone = map.optional("repeat") == null && map.optional("arrivals") == null;
    long number = 0;
    for (long submitNanos : submitTimes(map, key)) {
      number++;
      JobId id = JobId.of(alone ? key : key + "-" + number);
      if (jobs.containsKey(id)) {
        throw written.keyError(key, "there is a job \"" + id + "\" already");
      }
      jobs.put(
          id,
          new JobSpec(
              id,
              user,
              nodes,
              submitNanos,
              estimateNanos,
              processes,
              JobId.of(key),
              place,
              account,
              group));
      processCount += processes.stream().mapToLong(ProcessGroup::count).sum();
      if (jobs.size() > Limits.JOBS_MAX) {
        throw written.keyError(key, "expected at most " + Limits.JOBS_MAX + " jobs in all");
      }
      if (processCount > Limits.PROCESSES_MAX) {
        throw written.keyError(
            key, "expected at most " + Limits.PROCESSES_MAX + " processes in all");
      }
    }
  }

  private long nodes(@Nullable DocumentNode node) {
    if (node == null) {
      return 1;
    }
    long nodes = node.whole(1, JobClaim.NODES_MAX);
    if (clusterNodes > 0 && nodes > clusterNodes) {
      throw node.error("expected at most the cluster's " + clusterNodes + " nodes");
    }
    return nodes;
  }

  private long estimateNanos(@Nullable DocumentNode node) {
    if (node != null) {
      return node.durationNanos(Limits.TIME_NANOS_MIN, Limits.TIME_NANOS_MAX);
    }
    // Nobody knows; to the end of the scenario is the one bound that cannot be wrong.
    return clusterNodes > 0 ? endNanos : 0;
  }

  private List<Long> submitTimes(DocumentMap map, String key) {
    DocumentNode submit = map.optional("submit");
    long firstNanos = submit == null ? 0 : beforeEnd(submit, submit.durationNanos(0, endNanos));
    DocumentNode repeat = map.optional("repeat");
    DocumentNode every = map.optional("submit-every");
    DocumentNode arrivals = map.optional("arrivals");
    if (arrivals != null) {
      if (repeat != null) {
        throw map.keyError("repeat", "expected either repeat or arrivals, not both");
      }
      if (every != null) {
        throw map.keyError("submit-every", "expected either submit-every or arrivals, not both");
      }
      return arrivalTimes(arrivals, key, firstNanos);
    }
    if (repeat == null) {
      if (every != null) {
        throw map.keyError("submit-every", "expected only together with repeat");
      }
      return List.of(firstNanos);
    }
    long count = repeat.whole(1, Limits.JOBS_MAX);
    long everyNanos = every == null ? 0 : every.durationNanos(0, endNanos);
    if (every != null && (double) everyNanos * (count - 1) + firstNanos >= endNanos) {
      throw every.error(
          "the last of "
              + count
              + " jobs would come after the scenario's end, "
              + Quantities.formatDuration(endNanos));
    }
    return LongStream.range(0, count).mapToObj(i -> firstNanos + i * everyNanos).toList();
  }

  private long beforeEnd(DocumentNode node, long nanos) {
    if (nanos >= endNanos) {
      throw node.error(
          "expected a time before the scenario's end, " + Quantities.formatDuration(endNanos));
    }
    return nanos;
  }

  /** Random times; what would come after the end is left out. */
  private List<Long> arrivalTimes(DocumentNode node, String key, long firstNanos) {
    DocumentMap map = node.map("count", "mean", "shape");
    DocumentNode countNode = map.optional("count");
    long count = countNode == null ? Limits.JOBS_MAX + 1L : countNode.whole(1, Limits.JOBS_MAX);
    long meanNanos = map.required("mean").durationNanos(1, Limits.TIME_NANOS_MAX);
    DocumentNode shapeNode = map.optional("shape");
    double shape = shapeNode == null ? 1 : shapeNode.number(0.01, 1_000);
    GammaIntervals intervals =
        new GammaIntervals(meanNanos, shape, Seeds.random(seed, "arrivals of " + key));
    List<Long> times = new ArrayList<>();
    long atNanos = firstNanos + intervals.nextNanos();
    while (times.size() < count && atNanos < endNanos) {
      times.add(atNanos);
      atNanos += intervals.nextNanos();
    }
    if (times.isEmpty()) {
      throw node.error(
          "no job comes before the scenario's end, " + Quantities.formatDuration(endNanos));
    }
    return times;
  }

  /** The jobs of a trace: each is submitted at its first request. */
  void readRecorded(DocumentNode node) {
    DocumentMap map = node.map("file", "nodes");
    DocumentNode file = map.required("file");
    Map<JobId, List<Workload.TraceLine>> byJob = traces.byJob(file);
    Map<JobId, Long> nodes = recordedNodes(map.optional("nodes"), byJob);
    byJob.forEach((id, lines) -> {
      if (jobs.containsKey(id)) {
        throw file.error("there is a job \"" + id + "\" in the trace and in the scenario");
      }
      long submitNanos = lines.getFirst().atNanos();
      jobs.put(
          id,
          new JobSpec(
              id,
              id.toString(),
              nodes.getOrDefault(id, 1L),
              submitNanos,
              estimateNanos(null),
              List.of(ProcessesReader.replay(since(submitNanos, lines)))));
    });
    if (jobs.size() > Limits.JOBS_MAX) {
      throw file.error("expected at most " + Limits.JOBS_MAX + " jobs in all");
    }
  }

  private Map<JobId, Long> recordedNodes(
      @Nullable DocumentNode node, Map<JobId, List<Workload.TraceLine>> byJob) {
    Map<JobId, Long> nodes = new LinkedHashMap<>();
    if (node != null) {
      DocumentMap map = node.openMap();
      Map<String, JobId> known = new LinkedHashMap<>();
      byJob.keySet().forEach(id -> known.put(id.toString(), id));
      for (Map.Entry<String, DocumentNode> entry : map.entries().entrySet()) {
        String name = entry.getKey();
        JobId id = known.get(name);
        if (id == null) {
          List<String> names = List.copyOf(known.keySet());
          throw map.keyError(
              name, "there is no such job in the trace" + Suggestion.of(name, names));
        }
        nodes.put(id, nodes(entry.getValue()));
      }
    }
    return nodes;
  }

  private static List<Workload.TraceLine> since(long startNanos, List<Workload.TraceLine> lines) {
    return lines.stream()
        .map(line ->
            new Workload.TraceLine(
                line.atNanos() - startNanos, line.target(), line.operation(), line.bytes()))
        .toList();
  }
}
