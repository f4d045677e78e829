package dev.sluice.sim.result;

import dev.sluice.core.measure.Measures;
import dev.sluice.core.model.JobId;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The measures of a run: of each job, of each target and of the whole. */
public record Summary(String policy, List<Job> jobs, List<TargetUse> targets, Total total) {

  public Summary {
    jobs = List.copyOf(jobs);
    targets = List.copyOf(targets);
  }

  /**
   * What a job got. Times are from its start; what needs an end is empty for a job without one.
   *
   * @param bytesPerSecond over the time from its start to its end, or to the end of the run
   * @param completionNanos from start to end
   * @param waitNanos from submission to start
   */
  public record Job(
      JobId id,
      long nodes,
      long submitNanos,
      OptionalLong startNanos,
      OptionalLong endNanos,
      long bytes,
      long operations,
      OptionalDouble bytesPerSecond,
      OptionalDouble operationsPerSecond,
      OptionalDouble effectiveBytesPerSecond,
      OptionalLong waitNanos,
      OptionalLong completionNanos,
      long ioNanos,
      OptionalDouble stretch,
      OptionalDouble ioSlowdown,
      LatencySummary latency) {}

  /** What a target did. */
  public record TargetUse(
      String name,
      long bytes,
      long operations,
      OptionalDouble bytesPerSecond,
      OptionalDouble utilisation) {}

  /**
   * The whole run.
   *
   * @param bytesPerSecond over the time until the last job's end, or to the end of the run
   * @param makespanNanos when the last job ended; empty if one did not
   * @param fairness Jain's index of the jobs' throughput per node; of operations where no job moved
   *     a byte
   * @param targetUtilisation over all targets
   * @param computeUtilisation over all jobs; empty where none computes
   * @param worstP99Nanos the highest 99th percentile of latency that any job has; empty where
   *     requests are not simulated one by one
   * @param stillWaiting requests that were not complete at the end
   * @param oldestWaitNanos for how long the oldest of them had waited; empty where none did
   */
  public record Total(
      long bytes,
      long operations,
      OptionalDouble bytesPerSecond,
      OptionalDouble operationsPerSecond,
      int jobs,
      int jobsDone,
      OptionalLong makespanNanos,
      long ioNanos,
      OptionalDouble fairness,
      OptionalDouble meanStretch,
      OptionalDouble maxStretch,
      OptionalDouble meanIoSlowdown,
      OptionalDouble targetUtilisation,
      OptionalDouble computeUtilisation,
      OptionalLong worstP99Nanos,
      long stillWaiting,
      OptionalLong oldestWaitNanos,
      long events,
      long decisions,
      long changes) {}

  public static Summary of(RunResult run) {
    List<Job> jobs = run.jobs().stream().map(job -> job(job, run.endNanos())).toList();
    List<TargetUse> targets =
        run.targets().stream().map(target -> target(target, run.endNanos())).toList();
    return new Summary(run.policy(), jobs, targets, total(run, jobs, targets));
  }

  private static Job job(JobResult job, long runEndNanos) {
    boolean started = job.startNanos() >= 0;
    boolean comparable = job.isDone() && job.isolatedIoNanos() >= 0;
    long elapsed = elapsedNanos(job, runEndNanos);
    return new Job(
        job.id(),
        job.nodes(),
        job.submitNanos(),
        started ? OptionalLong.of(job.startNanos()) : OptionalLong.empty(),
        job.isDone() ? OptionalLong.of(job.endNanos()) : OptionalLong.empty(),
        job.bytes(),
        job.operations(),
        Measures.throughputPerSecond((double) job.bytes(), elapsed),
        Measures.throughputPerSecond((double) job.operations(), elapsed),
        Measures.effectiveBytesPerSecond(job.bytes(), job.ioNanos()),
        started ? OptionalLong.of(job.startNanos() - job.submitNanos()) : OptionalLong.empty(),
        job.isDone() ? OptionalLong.of(elapsed) : OptionalLong.empty(),
        job.ioNanos(),
        comparable
            ? Measures.stretch(
                job.startNanos(),
                job.endNanos(),
                job.notWaitingNanos(job.endNanos()),
                job.isolatedIoNanos())
            : OptionalDouble.empty(),
        comparable
            ? Measures.ioSlowdown(
                job.startNanos(),
                job.endNanos(),
                job.notWaitingNanos(job.endNanos()),
                job.isolatedIoNanos())
            : OptionalDouble.empty(),
        job.latency());
  }

  private static long elapsedNanos(JobResult job, long runEndNanos) {
    if (job.startNanos() < 0) {
      return 0;
    }
    return (job.isDone() ? job.endNanos() : runEndNanos) - job.startNanos();
  }

  private static TargetUse target(TargetResult target, long runEndNanos) {
    return new TargetUse(
        target.name(),
        target.bytes(),
        target.operations(),
        Measures.throughputPerSecond((double) target.bytes(), runEndNanos),
        Measures.utilisation(target.busyNanos(), runEndNanos));
  }

  private static Total total(RunResult run, List<Job> jobs, List<TargetUse> targets) {
    long bytes = run.jobs().stream().mapToLong(JobResult::bytes).sum();
    long operations = run.jobs().stream().mapToLong(JobResult::operations).sum();
    boolean allDone = !run.jobs().isEmpty() && run.jobs().stream().allMatch(JobResult::isDone);
    long lastEnd =
        allDone
            ? run.jobs().stream().mapToLong(JobResult::endNanos).max().orElseThrow()
            : run.endNanos();
    double[] stretches =
        Arrays.stream(present(jobs.stream().map(Job::stretch).toList()))
            .filter(stretch -> stretch > 0)
            .toArray();
    // A job whose I/O was hidden behind its computation was not slowed down at all.
    double[] slowdowns =
        Arrays.stream(present(jobs.stream().map(Job::ioSlowdown).toList()))
            .filter(slowdown -> slowdown > 0)
            .toArray();
    double[] uses = present(targets.stream().map(TargetUse::utilisation).toList());
    long[] computes = run.jobs().stream().mapToLong(JobResult::computeNanos).toArray();
    boolean anyComputes = run.jobs().stream().anyMatch(job -> job.computeNanos() > 0);
    return new Total(
        bytes,
        operations,
        Measures.throughputPerSecond((double) bytes, lastEnd),
        Measures.throughputPerSecond((double) operations, lastEnd),
        jobs.size(),
        (int) run.jobs().stream().filter(JobResult::isDone).count(),
        allDone ? OptionalLong.of(lastEnd) : OptionalLong.empty(),
        run.jobs().stream().mapToLong(JobResult::ioNanos).sum(),
        fairness(jobs, bytes > 0),
        Measures.geometricMean(stretches),
        Arrays.stream(stretches).max(),
        Measures.geometricMean(slowdowns),
        Arrays.stream(uses).average(),
        anyComputes ? Measures.computeUtilisation(computes, lastEnd) : OptionalDouble.empty(),
        jobs.stream()
            .filter(job -> job.latency().count() > 0)
            .mapToLong(job -> job.latency().p99Nanos())
            .max(),
        jobs.stream().mapToLong(job -> job.latency().waiting()).sum(),
        jobs.stream()
            .filter(job -> job.latency().waiting() > 0)
            .mapToLong(job -> job.latency().oldestWaitNanos())
            .max(),
        run.events(),
        run.decisions(),
        run.changes());
  }

  /** A job that never started, or in no time, has no throughput and is left out. */
  private static OptionalDouble fairness(List<Job> jobs, boolean byBytes) {
    List<Job> measured = jobs.stream().filter(job -> job.bytesPerSecond().isPresent()).toList();
    double[] throughputs =
        present(
            measured.stream()
                .map(job -> byBytes ? job.bytesPerSecond() : job.operationsPerSecond())
                .toList());
    double[] weights = measured.stream().mapToDouble(job -> (double) job.nodes()).toArray();
    return Measures.jainIndex(throughputs, weights);
  }

  private static double[] present(List<OptionalDouble> values) {
    return values.stream().flatMapToDouble(OptionalDouble::stream).toArray();
  }
}
