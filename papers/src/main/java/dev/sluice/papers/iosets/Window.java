package dev.sluice.papers.iosets;

import dev.sluice.core.measure.Measures;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;
import java.util.Arrays;

/**
 * The four metrics over a part of a run. What was computed and written in it is the difference
 * between two runs that are the same but for their ends: the paper has to cut phases at the bounds,
 * and assumes that a phase's bandwidth was the same throughout.
 *
 * @param maxStretch infinite where an application neither computed nor wrote
 */
record Window(double maxStretch, double meanStretch, double ioSlowdown, double utilisation) {
  static Window between(RunResult begin, RunResult end) {
    double bytesPerSecond =
        end.targets().stream().mapToDouble(TargetResult::capacityBytesPerSecond).sum();
    int jobs = end.jobs().size();
    double[] stretches = new double[jobs];
    double[] slowdowns = new double[jobs];
    long[] computes = new long[jobs];
    for (int i = 0; i < jobs; i++) {
      JobResult before = begin.jobs().get(i);
      JobResult after = end.jobs().get(i);
      computes[i] = after.computeNanos() - before.computeNanos();
      long isolatedNanos = (long) ((after.bytes() - before.bytes()) / bytesPerSecond * 1e9);
      stretches[i] =
          Measures.stretch(begin.endNanos(), end.endNanos(), computes[i], isolatedNanos)
              .orElse(Double.POSITIVE_INFINITY);
      slowdowns[i] =
          Measures.ioSlowdown(begin.endNanos(), end.endNanos(), computes[i], isolatedNanos)
              .orElse(Double.POSITIVE_INFINITY);
    }
    return new Window(
        Arrays.stream(stretches).max().orElse(Double.NaN),
        mean(stretches),
        mean(slowdowns),
        Measures.computeUtilisation(computes, end.endNanos() - begin.endNanos())
            .orElse(Double.NaN));
  }

  private static double mean(double[] ratios) {
    return Arrays.stream(ratios).anyMatch(Double::isInfinite)
        ? Double.POSITIVE_INFINITY
        : Measures.geometricMean(ratios).orElse(Double.NaN);
  }
}
