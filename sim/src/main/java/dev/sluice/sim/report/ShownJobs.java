package dev.sluice.sim.report;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs that pictures and tables show one by one: all, or of many those that moved most, the
 * others summed up. This bounds every page, and gives each job one colour in all pictures.
 *
 * @param jobs in the scenario's order
 * @param others how many are summed up
 */
record ShownJobs(List<JobId> jobs, int others) {
  static final int JOBS_MAX = 20;

  ShownJobs {
    jobs = List.copyOf(jobs);
  }

  static ShownJobs of(List<RunResult> runs) {
    Map<JobId, long[]> moved = new LinkedHashMap<>();
    for (RunResult run : runs) {
      for (JobResult job : run.jobs()) {
        long[] sums = moved.computeIfAbsent(job.id(), id -> new long[2]);
        sums[0] += job.bytes();
        sums[1] += job.operations();
      }
    }
    if (moved.size() <= JOBS_MAX) {
      return new ShownJobs(List.copyOf(moved.keySet()), 0);
    }
    Comparator<Map.Entry<JobId, long[]>> byMoved =
        Comparator.comparingLong((Map.Entry<JobId, long[]> entry) -> -entry.getValue()[0])
            .thenComparingLong(entry -> -entry.getValue()[1])
            .thenComparing(Map.Entry::getKey);
    Set<JobId> most = new LinkedHashSet<>();
    moved.entrySet().stream()
        .sorted(byMoved)
        .limit(JOBS_MAX)
        .forEach(entry -> most.add(entry.getKey()));
    return new ShownJobs(
        moved.keySet().stream().filter(most::contains).toList(), moved.size() - JOBS_MAX);
  }

  Colour colour(int index) {
    return new Colour(index);
  }

  /** What the sum of the others is called; no job of a large scenario is likely to be called so. */
  String otherName() {
    return others + " other jobs";
  }

  List<JobResult> othersOf(RunResult run) {
    if (others == 0) {
      return List.of();
    }
    Set<JobId> known = Set.copyOf(jobs);
    return run.jobs().stream().filter(job -> !known.contains(job.id())).toList();
  }
}
