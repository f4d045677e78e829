package dev.sluice.papers.iosets;

import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.atMost;

import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Condition;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Section 5: one application with a short period beside fifteen with a long one. */
final class SixteenApplications implements Experiment {
  private static final String SCENARIO = "iosets";

  private static final String LESS =
      "without control our applications soon spread over time by themselves and disturb each other"
          + " less than the paper's, so that less is left to gain";

  private static final String FIRST_CYCLES =
      "until the first periods are found, applications of unknown period share the server";

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

  private final Timing timing;

  SixteenApplications(Timing timing) {
    this.timing = timing;
  }

  @Override
  public List<Trial> trials(long seed) {
    return StrategyRuns.trials(SCENARIO, timing, STRATEGIES, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    StrategyRuns runs = StrategyRuns.of(SCENARIO, timing, STRATEGIES, outcomes);
    return new Chapter(
        "5 Sixteen applications" + (timing == Timing.IN_STEP ? ", in step" : ", not in step"),
        "One application computes for 18 s and writes 8 × 16 MiB, fifteen compute for 360 s and"
            + " write 8 × 320 MiB, all to one server of 110 MiB/s, between 400 s and 3,200 s. "
            + timing.inWords(),
        List.of(
            lower(runs, 1, "max stretch", -16, Window::maxStretch),
            lower(runs, 2, "geometric mean stretch", -22, Window::meanStretch),
            lower(runs, 3, "I/O slowdown", -63, Window::ioSlowdown),
            higher(runs),
            asPrinted(runs),
            error(runs),
            swapped(runs)),
        List.of(runs.table()),
        runs.pictures());
  }

  private String id(int number) {
    return "5." + number + timing.letter();
  }

  private Claim lower(
      StrategyRuns runs, int number, String metric, int percent, ToDoubleFunction<Window> of) {
    return new Claim(
            id(number),
            "clairvoyant Set-10 against no control: " + metric + " is " + -percent + " % lower",
            against(runs, metric, of),
            atMost(metric, percent))
        .orWeaker(atMost(metric, percent / 2.0))
        .because(LESS);
  }

  private Claim higher(StrategyRuns runs) {
    String metric = "utilization";
    return new Claim(
            id(4),
            "clairvoyant Set-10 against no control: utilization is 29 % higher",
            against(runs, metric, Window::utilisation),
            atLeast(metric, 29))
        .orWeaker(atLeast(metric, 14.5))
        .because(LESS);
  }

  private static List<Figure> against(
      StrategyRuns runs, String metric, ToDoubleFunction<Window> of) {
    double none = of.applyAsDouble(runs.window(Strategy.NONE));
    double ours = of.applyAsDouble(runs.window(Strategy.CLAIRVOYANT));
    return List.of(
        StrategyRuns.change(metric, ours, none),
        StrategyRuns.ratio("no control", none),
        StrategyRuns.ratio("Set-10", ours));
  }

  private static List<Figure> detection(StrategyRuns runs) {
    return StrategyRuns.changes(runs.window(Strategy.DETECTED), runs.window(Strategy.CLAIRVOYANT));
  }

  private Claim asPrinted(StrategyRuns runs) {
    return new Claim(
            id(5),
            "with detected periods stretch and I/O slowdown are about 2 % worse than clairvoyant,"
                + " utilization 19 %",
            detection(runs),
            worseByAtMost(2, 2, 19))
        .orWeaker(worseByAtMost(4, 4, 38))
        .because(FIRST_CYCLES);
  }

  private Claim swapped(StrategyRuns runs) {
    return new Claim(
            id(7),
            "the same, as if I/O slowdown and utilization were confused in the sentence: about 2 %"
                + " worse in stretch and utilization, 19 % in I/O slowdown",
            detection(runs),
            worseByAtMost(2, 19, 2))
        .orWeaker(worseByAtMost(4, 38, 4))
        .because(FIRST_CYCLES);
  }

  private static Condition worseByAtMost(double stretch, double slowdown, double utilization) {
    return all(
        atMost("max stretch", stretch),
        atMost("mean stretch", stretch),
        atMost("I/O slowdown", slowdown),
        atLeast("utilization", -utilization));
  }

  private Claim error(StrategyRuns runs) {
    return new Claim(
            id(6),
            "with ±50 % error stretch and utilization are 5 % worse than with detection, I/O"
                + " slowdown 27 % higher",
            StrategyRuns.changes(runs.window(Strategy.FALSIFIED), runs.window(Strategy.DETECTED)),
            worseByAtLeast(5, 27, 5))
        .orWeaker(worseByAtLeast(2.5, 13.5, 2.5))
        .because(
            "half or one and a half times a period is less than a third of a set away, so that most"
                + " applications stay in the set in which they belong");
  }

  private static Condition worseByAtLeast(double stretch, double slowdown, double utilization) {
    return all(
        atLeast("max stretch", stretch),
        atLeast("mean stretch", stretch),
        atLeast("I/O slowdown", slowdown),
        atMost("utilization", -utilization));
  }
}
