package dev.sluice.papers.gift;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.progress.ProgressExplanation;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Timeline;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a run changed against one of the same jobs under another policy. Times are compared over the
 * jobs that are done in both, so that the same work stands on both sides.
 */
final class Comparison {
  /** What differs by less is rounding. */
  private static final double NO_CHANGE = 1e-6;

  private final RunResult run;
  private final Times all = new Times();
  private final Map<String, Times> byApplication = new TreeMap<>();
  private final double throughput;

  /** Sums over jobs, now and before. */
  private static final class Times {
    private double ioNanos;
    private double ioNanosBefore;
    private double runNanos;
    private double runNanosBefore;
    private double savedNodeNanos;

    void add(JobResult job, JobResult before) {
      ioNanos += job.ioNanos();
      ioNanosBefore += before.ioNanos();
      runNanos += runNanos(job);
      runNanosBefore += runNanos(before);
      savedNodeNanos += (runNanos(before) - runNanos(job)) * job.nodes();
    }

    private static double runNanos(JobResult job) {
      return (double) (job.endNanos() - job.startNanos());
    }

    double ioChange() {
      return ioNanos / ioNanosBefore - 1;
    }
  }

  Comparison(RunResult run, RunResult baseline) {
    this.run = run;
    Map<JobId, JobResult> before =
        baseline.jobs().stream().collect(Collectors.toMap(JobResult::id, Function.identity()));
    for (JobResult job : run.jobs()) {
      JobResult other = before.get(job.id());
      if (other != null && job.isDone() && other.isDone()) {
        all.add(job, other);
        byApplication.computeIfAbsent(job.user(), _ -> new Times()).add(job, other);
      }
    }
    throughput = (double) done(run) / done(baseline) - 1;
  }

  private static long done(RunResult run) {
    return run.jobs().stream().filter(JobResult::isDone).count();
  }

  /** Change of the mean time that a run of an application spends in I/O. */
  double ioTime() {
    return all.ioChange();
  }

  /** Change of the mean time that a run takes. */
  double runTime() {
    return all.runNanos / all.runNanosBefore - 1;
  }

  /** Change of the jobs that are done in the time simulated. */
  double throughput() {
    return throughput;
  }

  /**
   * How much more of the targets' bandwidth was given to progress than fair shares of the very same
   * jobs at the very same decisions would have given.
   */
  double effectiveBandwidth() {
    return total(ProgressExplanation.USED) / total(ProgressExplanation.FAIR) - 1;
  }

  /** What really moved, as a part of what the targets on which somebody did I/O can move. */
  double use() {
    double bytes = run.jobs().stream().mapToLong(JobResult::bytes).sum();
    return bytes / total(ProgressExplanation.USABLE);
  }

  /** A figure of all decisions together. */
  double total(String name) {
    Timeline timeline = timeline(name);
    double sum = 0;
    for (int i = 0; i < timeline.size(); i++) {
      sum += timeline.value(i);
    }
    return sum;
  }

  /** A figure of the decisions over time. */
  Timeline timeline(String name) {
    Timeline timeline = run.totals().get(name);
    if (timeline == null) {
      throw new IllegalArgumentException(
          "there is no " + name + " among " + run.totals().keySet() + " of " + run.policy());
    }
    return timeline;
  }

  /** Compute time that jobs were done earlier, weighed by their nodes. */
  double savedNodeHours() {
    return all.savedNodeNanos / 3.6e12;
  }

  /** Compute time that was used in all. */
  double usedNodeHours() {
    double nanos = 0;
    for (JobResult job : run.jobs()) {
      if (job.startNanos() >= 0) {
        long until = job.isDone() ? job.endNanos() : run.endNanos();
        nanos += (double) (until - job.startNanos()) * job.nodes();
      }
    }
    return nanos / 3.6e12;
  }

  /** Changes of the applications' I/O times, the best first. */
  double[] ioTimes() {
    double[] changes = byApplication.values().stream().mapToDouble(Times::ioChange).toArray();
    Arrays.sort(changes);
    return changes;
  }

  /** The part of the applications whose I/O takes longer. */
  double worse() {
    double[] changes = ioTimes();
    return (double) Arrays.stream(changes).filter(c -> c > NO_CHANGE).count() / changes.length;
  }

  /** How much longer it takes for those, on average. */
  double worseBy() {
    return Arrays.stream(ioTimes()).filter(c -> c > NO_CHANGE).average().orElse(0);
  }

  /** The part of the applications whose I/O is done in less than four fifths of the time. */
  double muchBetter() {
    double[] changes = ioTimes();
    return (double) Arrays.stream(changes).filter(c -> c < -0.2).count() / changes.length;
  }

  /** Change of the I/O time of some applications together; not a number where there are none. */
  double ioTime(Predicate<String> which) {
    double now = 0;
    double before = 0;
    for (Map.Entry<String, Times> entry : byApplication.entrySet()) {
      if (which.test(entry.getKey())) {
        now += entry.getValue().ioNanos;
        before += entry.getValue().ioNanosBefore;
      }
    }
    return now / before - 1;
  }
}
