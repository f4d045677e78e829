package dev.sluice.sim.papers.iosets;

import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Trial;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Section 5: one application with a short period beside fifteen with a long one. */
final class SixteenApplications implements Experiment {
  private static final String SCENARIO = "iosets";
  private static final List<Strategy> STRATEGIES =
      List.of(
          Strategy.NONE,
          Strategy.FAIR,
          Strategy.FCFS,
          Strategy.EQUAL,
          Strategy.ALONE,
          Strategy.CLAIRVOYANT,
          Strategy.DETECTED,
          Strategy.FALSIFIED);

  /** What we allow detection to cost in any metric. */
  private static final double DETECTION_COST_MAX = 0.05;

  @Override
  public List<Trial> trials(long seed) {
    return Runs.trials(SCENARIO, STRATEGIES, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    Runs runs = Runs.of(SCENARIO, STRATEGIES, outcomes);
    return new Chapter(
        "5 Sixteen applications",
        "One application computes for 18 s and writes 8 × 16 MiB, fifteen compute for 360 s and"
            + " write 8 × 320 MiB, all to one server of 110 MiB/s, between 400 s and 3,200 s."
            + " Nothing in the simulation disturbs the applications but each other: without"
            + " control those with the long period write all at the same time, cycle after cycle,"
            + " which real machines would not do for long. So every strategy that serves one"
            + " after another gains more here than in the paper.",
        List.of(
            against(runs, 1, "max stretch is 16 % lower", Window::maxStretch, false),
            against(runs, 2, "geometric mean stretch is 22 % lower", Window::meanStretch, false),
            against(runs, 3, "I/O slowdown is 63 % lower", Window::ioSlowdown, false),
            against(runs, 4, "utilization is 29 % higher", Window::utilisation, true),
            detection(runs),
            error(runs)),
        List.of(runs.table()),
        runs.pictures());
  }

  private static Claim against(
      Runs runs, int number, String paper, ToDoubleFunction<Window> metric, boolean higher) {
    double none = metric.applyAsDouble(runs.window(Strategy.NONE));
    double ours = metric.applyAsDouble(runs.window(Strategy.CLAIRVOYANT));
    return new Claim(
        "5." + number,
        "clairvoyant Set-10 against no control: " + paper,
        Runs.change(ours, none) + ": " + Runs.number(none) + " becomes " + Runs.number(ours),
        higher ? ours > none : ours < none);
  }

  private static Claim detection(Runs runs) {
    Window clairvoyant = runs.window(Strategy.CLAIRVOYANT);
    Window detected = runs.window(Strategy.DETECTED);
    return new Claim(
        "5.5",
        "with detected periods the metrics are close to clairvoyant: about 2 % worse in stretch and"
            + " I/O slowdown, and 19 % in utilization (the last two may be swapped)",
        changes(detected, clairvoyant) + "; we allow 5 % each",
        detected.worseThan(clairvoyant) <= DETECTION_COST_MAX);
  }

  private static Claim error(Runs runs) {
    Window detected = runs.window(Strategy.DETECTED);
    Window falsified = runs.window(Strategy.FALSIFIED);
    return new Claim(
        "5.6",
        "with ±50 % error stretch and utilization are 5 % worse than with detection, I/O slowdown"
            + " 27 % higher",
        changes(falsified, detected),
        falsified.ioSlowdown() > detected.ioSlowdown()
            && falsified.meanStretch() > detected.meanStretch()
            && falsified.utilisation() < detected.utilisation());
  }

  private static String changes(Window ours, Window than) {
    return String.format(
        Locale.ROOT,
        "max stretch %s, mean stretch %s, I/O slowdown %s, utilization %s",
        precise(ours.maxStretch(), than.maxStretch()),
        precise(ours.meanStretch(), than.meanStretch()),
        precise(ours.ioSlowdown(), than.ioSlowdown()),
        precise(ours.utilisation(), than.utilisation()));
  }

  private static String precise(double value, double than) {
    return String.format(Locale.ROOT, "%+.1f %%", 100 * (value / than - 1));
  }
}
