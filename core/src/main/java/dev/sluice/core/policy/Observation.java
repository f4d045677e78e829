package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was seen during one period, on the targets that are decided about together.
 *
 * @param nowNanos when the period ended
 * @param periodNanos how long it was; the decision holds for a period of the same length
 * @param cluster all targets that are decided about, with what each can serve now
 * @param targets by the names of those of which something was seen, every job known to be there,
 *     idle ones too, in ascending order of job id: whatever order they were given in, decisions see
 *     this one
 * @param ended jobs that the job directory reports as over since the last observation
 */
public record Observation(
    long nowNanos,
    long periodNanos,
    Cluster cluster,
    Map<String, List<JobDemand>> targets,
    List<JobId> ended) {
  /** An hour: longer periods are not control. */
  public static final long PERIOD_NANOS_MAX = 3_600_000_000_000L;

  public Observation {
    if (periodNanos < 1 || periodNanos > PERIOD_NANOS_MAX) {
      throw new IllegalArgumentException(
          "a period must be 1 ns to 1 h, not " + periodNanos + " ns");
    }
    Map<String, List<JobDemand>> ordered = new LinkedHashMap<>();
    targets.forEach((target, jobs) -> ordered.put(target, inOrder(jobs)));
    requireAmong(cluster, ordered.keySet());
    targets = Collections.unmodifiableMap(ordered);
    ended = List.copyOf(ended);
  }

  /** Of one target, for a policy that treats each target alone. */
  public static Observation of(
      Target target, long nowNanos, long periodNanos, List<JobDemand> jobs, List<JobId> ended) {
    return new Observation(
        nowNanos, periodNanos, Cluster.of(target), Map.of(target.name(), jobs), ended);
  }

  /** Of one target, where no job ended. */
  public static Observation of(
      Target target, long nowNanos, long periodNanos, List<JobDemand> jobs) {
    return of(target, nowNanos, periodNanos, jobs, List.of());
  }

  /** The only target, with what it can serve now. */
  public Target target() {
    return cluster.only();
  }

  /** The jobs on the only target. */
  public List<JobDemand> jobs() {
    return on(target().name());
  }

  /** The jobs on this target; none where nothing was seen of it. */
  public List<JobDemand> on(String target) {
    return targets.getOrDefault(target, List.of());
  }

  private static void requireAmong(Cluster cluster, Set<String> seen) {
    long found = cluster.targets().stream().filter(target -> seen.contains(target.name())).count();
    if (found < seen.size()) {
      Set<String> strangers = new LinkedHashSet<>(seen);
      cluster.targets().forEach(target -> strangers.remove(target.name()));
      throw new IllegalArgumentException(
          "target " + strangers.iterator().next() + " is not among those that are decided about");
    }
  }

  private static List<JobDemand> inOrder(List<JobDemand> jobs) {
    List<JobDemand> ordered = List.copyOf(jobs);
    if (!ascends(ordered)) {
      List<JobDemand> sorted = new ArrayList<>(ordered);
      sorted.sort(Comparator.comparing(JobDemand::job));
      for (int i = 1; i < sorted.size(); i++) {
        if (sorted.get(i - 1).job().equals(sorted.get(i).job())) {
          throw new IllegalArgumentException(
              "job " + sorted.get(i).job() + " is there more than once");
        }
      }
      ordered = List.copyOf(sorted);
    }
    return ordered;
  }

  private static boolean ascends(List<JobDemand> jobs) {
    for (int i = 1; i < jobs.size(); i++) {
      if (jobs.get(i - 1).job().compareTo(jobs.get(i).job()) >= 0) {
        return false;
      }
    }
    return true;
  }
}
