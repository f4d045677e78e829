package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.gateway.target.TargetStatistics;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last minute of every target: what each job did, second by second. Not thread-safe.
 *
 * <p>Of the jobs that were busy in a second the busiest are kept, so that a thousand idle ones, or
 * a hundred thousand busy ones, take no more memory than anybody can look at.
 */
final class LastMinute {
  static final int SAMPLES_MAX = 60;
  static final int JOBS_MAX = 1_000;

  private static final double NANOS_PER_MILLI = 1e6;

  private static final Comparator<JobFigures> BUSIEST_FIRST =
      Comparator.comparingDouble(JobFigures::bytesPerSecond)
          .thenComparingDouble(JobFigures::operationsPerSecond)
          .reversed()
          .thenComparing(JobFigures::job);

  private final Map<String, TargetMinute> targets = new HashMap<>();

  /** One target's minute, and the totals from which the next second is reckoned. */
  private static final class TargetMinute {
    final Deque<List<JobFigures>> samples = new ArrayDeque<>();
    Map<JobId, JobStatistics> totals = Map.of();
    long sampledNanos;
    ControlStatus.QueueFigures queue = new ControlStatus.QueueFigures(0, 0);
  }

  /** Takes note of what happened since the last sample. */
  void sample(List<ControlledTarget> sampled, long nowNanos) {
    List<String> names = sampled.stream().map(target -> target.target().name()).toList();
    targets.keySet().retainAll(names);
    for (ControlledTarget target : sampled) {
      sample(
          targets.computeIfAbsent(target.target().name(), _ -> new TargetMinute()),
          target.statistics(nowNanos),
          nowNanos);
    }
  }

  private static void sample(TargetMinute target, TargetStatistics seen, long nowNanos) {
    Map<JobId, JobStatistics> totals = HashMap.newHashMap(seen.jobs().size());
    List<JobFigures> busy = new ArrayList<>();
    double seconds = (nowNanos - target.sampledNanos) / 1e9;
    boolean first = target.sampledNanos == 0;
    for (JobStatistics job : seen.jobs()) {
      totals.put(job.job(), job);
      if (!first) {
        JobFigures figures = figures(target.totals.get(job.job()), job, seconds, nowNanos);
        if (!figures.isIdle()) {
          busy.add(figures);
        }
      }
    }
    target.totals = totals;
    target.sampledNanos = nowNanos;
    target.queue = new ControlStatus.QueueFigures(seen.queued(), seen.inService());
    busy.sort(BUSIEST_FIRST);
    target.samples.addLast(List.copyOf(busy.subList(0, Math.min(busy.size(), JOBS_MAX))));
    if (target.samples.size() > SAMPLES_MAX) {
      target.samples.removeFirst();
    }
  }

  private static JobFigures figures(
      @Nullable JobStatistics before, JobStatistics after, double seconds, long nowNanos) {
    // A job that is new, or was forgotten in between, is counted from nothing.
    JobStatistics from =
        before == null || before.operations() > after.operations()
            ? new JobStatistics(after.job(), 0, 0, 0, 0, 0, 0)
            : before;
    long operations = after.operations() - from.operations();
    long read = after.readBytes() - from.readBytes();
    long written = after.writtenBytes() - from.writtenBytes();
    // Who still waits counts with its age: otherwise a job that starves would not seem to wait.
    double waited = (double) (after.waitedNanos() - from.waitedNanos()) + after.waitingNanos();
    long waits = operations + after.queued();
    return new JobFigures(
        after.job(),
        nowNanos,
        read / seconds,
        written / seconds,
        operations / seconds,
        waits == 0 ? 0 : waited / NANOS_PER_MILLI / waits,
        after.queued(),
        after.oldestWaitNanos() / NANOS_PER_MILLI);
  }

  /** The jobs of the last second, the busiest first. */
  List<JobFigures> latest(String target) {
    TargetMinute found = targets.get(target);
    return found == null || found.samples.isEmpty() ? List.of() : found.samples.getLast();
  }

  /** What each job had done at the last look, with whose it is; not changed any more. */
  Map<JobId, JobStatistics> seen(String target) {
    TargetMinute found = targets.get(target);
    return found == null ? Map.of() : found.totals;
  }

  /** What waited and was being served at the last look. */
  ControlStatus.QueueFigures queue(String target) {
    TargetMinute found = targets.get(target);
    return found == null ? new ControlStatus.QueueFigures(0, 0) : found.queue;
  }

  /** One job's last minute, oldest first; seconds in which it was idle are left out. */
  List<JobFigures> history(String target, JobId job) {
    TargetMinute found = targets.get(target);
    if (found == null) {
      return List.of();
    }
    List<JobFigures> history = new ArrayList<>();
    for (List<JobFigures> sample : found.samples) {
      sample.stream().filter(figures -> figures.job().equals(job)).forEach(history::add);
    }
    return history;
  }
}
