package dev.sluice.sim.report;

import dev.sluice.sim.result.JobResult;

/** Jobs' timelines on one grid. */
final class Timelines {
  private Timelines() {}

  /** A grid for a run's timelines with at most {@code cellsMax} cells. */
  static Samples samples(Report.Run run, int cellsMax) {
    long width =
        run.result().jobs().stream().mapToLong(job -> job.served().widthNanos()).max().orElse(1);
    return Samples.until(Math.max(1, run.result().endNanos()), width, cellsMax);
  }

  /** What the jobs that are not shown got together. */
  static double[] otherRates(Report report, Report.Run run, Samples samples) {
    double[] sum = new double[samples.count()];
    for (JobResult job : report.shown().othersOf(run.result())) {
      sum = Samples.plus(sum, samples.rates(job.served()));
    }
    return sum;
  }
}
