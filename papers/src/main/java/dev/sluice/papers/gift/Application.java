package dev.sluice.papers.gift;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.GammaIntervals;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * An application that is run again and again: it computes and writes in turns, as one stream over
 * its targets.
 *
 * @param runsPerMonth how often it is run in 25 days, on average
 * @param stripes to how many targets at once it writes
 * @param phases how often it writes in a run
 * @param computeNanos how long it computes before each of them
 * @param phaseBytes what it writes in each of them
 */
record Application(
    String name,
    double runsPerMonth,
    long nodes,
    int stripes,
    int phases,
    long computeNanos,
    long phaseBytes) {
  static final double MONTH_NANOS = 25 * 86_400e9;

  private static final double MINUTE_NANOS = 60e9;

  /** How much longer writing takes than alone, as far as owners know. */
  private static final double EXPECTED_SLOWDOWN = 4;

  private static final double ESTIMATE_MARGIN = 1.5;
  private static final double JITTER = 0.1;

  /** Below 1: runs of an application come in clusters. */
  private static final double ARRIVAL_SHAPE = 0.5;

  private static final int WINDOW_PER_STRIPE = 8;
  private static final long REQUEST_BYTES = 1 << 20;

  /** The one with this number, drawn from the seed. */
  static Application draw(int number, long seed) {
    String name = String.format(Locale.ROOT, "app%04d", number);
    SplittableRandom random = Seeds.random(seed, name);
    double runsPerMonth = runsPerMonth(random);
    long nodes = Math.round(between(1, 128, random));
    int stripes = (int) Math.round(between(2, 8, random));
    int phases = (int) Math.round(between(2, 8, random));
    double computeNanos = between(5, 180, random) * MINUTE_NANOS;
    double aloneNanos = Math.min(computeNanos * between(0.03, 0.12, random), 10 * MINUTE_NANOS);
    return new Application(
        name,
        runsPerMonth,
        nodes,
        stripes,
        phases,
        (long) computeNanos,
        (long) (aloneNanos / 1e9 * stripes * ApplicationSet.TARGET_BYTES_PER_SECOND));
  }

  /**
   * The paper's logs cover years: what ran more than 200 and 1,000 times there runs more than 20
   * and 100 times in our 25 days.
   */
  private static double runsPerMonth(RandomGenerator random) {
    double which = random.nextDouble();
    if (which < 0.18) {
      return between(1, 5, random);
    }
    if (which < 0.60) {
      return between(5, 20, random);
    }
    return which < 0.85 ? between(20, 100, random) : between(100, 300, random);
  }

  /** Every order of magnitude is as likely as the others. */
  private static double between(double low, double high, RandomGenerator random) {
    return low * StrictMath.pow(high / low, random.nextDouble());
  }

  /** How long a run takes, as far as its owner knows. */
  double expectedNanos() {
    double aloneNanos = phaseBytes * 1e9 / stripes / ApplicationSet.TARGET_BYTES_PER_SECOND;
    return phases * (computeNanos + EXPECTED_SLOWDOWN * aloneNanos);
  }

  /** Its runs until an instant; at least one. */
  List<JobSpec> runs(List<String> targets, long endNanos, long seed) {
    SplittableRandom random = Seeds.random(seed, "runs of " + name);
    double meanNanos = MONTH_NANOS / runsPerMonth;
    GammaIntervals intervals = new GammaIntervals((long) meanNanos, ARRIVAL_SHAPE, random);
    List<JobSpec> runs = new ArrayList<>();
    long atNanos = (long) (random.nextDouble() * Math.min(meanNanos, (double) endNanos));
    while (atNanos < endNanos) {
      runs.add(run(runs.size() + 1, targets, atNanos, random));
      atNanos += intervals.nextNanos();
    }
    return runs;
  }

  private JobSpec run(int number, List<String> targets, long atNanos, RandomGenerator random) {
    return new JobSpec(
        JobId.of(name + "-" + number),
        name,
        nodes,
        atNanos,
        (long) (ESTIMATE_MARGIN * expectedNanos()),
        List.of(
            new ProcessGroup(
                1,
                0,
                WINDOW_PER_STRIPE * stripes,
                new Workload.Phases(
                    phases, computeNanos, JITTER, Operation.WRITE, phaseBytes, REQUEST_BYTES),
                new FileLayout(
                    FileLayout.Placement.GIVEN, stripes, REQUEST_BYTES, some(targets, random)))),
        JobId.of(name));
  }

  /** As the file system chooses them, which does not know who will write when: at random. */
  private List<String> some(List<String> targets, RandomGenerator random) {
    List<String> left = new ArrayList<>(targets);
    for (int i = 0; i < stripes; i++) {
      Collections.swap(left, i, i + random.nextInt(left.size() - i));
    }
    return left.subList(0, stripes);
  }
}
