package dev.sluice.papers.iosets;

import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.less;

import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import java.util.List;

/** Section 3.5, future work: starvation, when more is asked for than the server can do. */
final class Overload implements Experiment {
  private static final String SCENARIO = "iosets-overload";
  private static final List<Strategy> STRATEGIES =
      List.of(
          Strategy.NONE, Strategy.FAIR, Strategy.CLAIRVOYANT, Strategy.UNBOUNDED, Strategy.BY_ID);

  /** What we allow the slowest application at this load. */
  private static final double STRETCH_MAX = 2;

  @Override
  public List<Trial> trials(long seed) {
    return StrategyRuns.trials(SCENARIO, Timing.UNSTEADY, STRATEGIES, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    StrategyRuns runs = StrategyRuns.of(SCENARIO, Timing.UNSTEADY, STRATEGIES, outcomes);
    return new Chapter(
        "3.5 Starvation",
        "The same applications, of which the fifteen write 8 × 428 MiB: together they ask for 1.25"
            + " times what the server can do. In the order of ids the last of a set starves. With"
            + " the bound, who was not served for twice a typical phase comes next. "
            + Timing.UNSTEADY.inWords(),
        List.of(
            new Claim(
                "3.5.1",
                "(left open) the order by id could lead to starvation",
                List.of(
                    StrategyRuns.ratio(
                        "max stretch", runs.window(Strategy.UNBOUNDED).maxStretch())),
                atLeast("max stretch", 10 * STRETCH_MAX)),
            new Claim(
                "3.5.2",
                "(ours) with a bound nobody starves: the maximum stretch at load 1.25 is below 2",
                List.of(
                    StrategyRuns.ratio("order of ids", runs.window(Strategy.BY_ID).maxStretch()),
                    StrategyRuns.ratio(
                        "order of arrival", runs.window(Strategy.CLAIRVOYANT).maxStretch())),
                all(less("order of ids", STRETCH_MAX), less("order of arrival", STRETCH_MAX)))),
        List.of(runs.table()),
        runs.pictures());
  }
}
