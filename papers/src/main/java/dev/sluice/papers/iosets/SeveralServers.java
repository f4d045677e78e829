package dev.sluice.papers.iosets;

import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.less;
import static dev.sluice.papers.Condition.more;

import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import java.util.List;

/** Section 6, future work: several data servers, each of which decides alone. */
final class SeveralServers implements Experiment {
  private static final String SCENARIO = "iosets-servers";
  private static final List<Strategy> STRATEGIES =
      List.of(Strategy.NONE, Strategy.FAIR, Strategy.CLAIRVOYANT, Strategy.DETECTED);

  @Override
  public List<Trial> trials(long seed) {
    return StrategyRuns.trials(SCENARIO, Timing.UNSTEADY, STRATEGIES, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    StrategyRuns runs = StrategyRuns.of(SCENARIO, Timing.UNSTEADY, STRATEGIES, outcomes);
    return new Chapter(
        "6 Several data servers",
        "The same applications on four servers of 27.5 MiB/s; every file lies on all of them, and"
            + " every server finds periods and orders requests without knowing of the others."
            + " Requests of one phase come to all of them at the same time, so they mostly serve"
            + " the same job. "
            + Timing.UNSTEADY.inWords(),
        List.of(
            new Claim(
                "6.1",
                "(left open) servers that decide alone are enough: with detection every metric is"
                    + " better than without control",
                StrategyRuns.changes(runs.window(Strategy.DETECTED), runs.window(Strategy.NONE)),
                all(
                    less("max stretch", 0),
                    less("mean stretch", 0),
                    less("I/O slowdown", 0),
                    more("utilization", 0)))),
        List.of(runs.table()),
        runs.pictures());
  }
}
