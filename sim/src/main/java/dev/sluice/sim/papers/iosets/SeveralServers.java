package dev.sluice.sim.papers.iosets;

import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Trial;
import java.util.List;
import java.util.Locale;

/** Section 6, future work: several data servers, each of which decides alone. */
final class SeveralServers implements Experiment {
  private static final String SCENARIO = "iosets-servers";
  private static final List<Strategy> STRATEGIES =
      List.of(Strategy.NONE, Strategy.FAIR, Strategy.CLAIRVOYANT, Strategy.DETECTED);

  @Override
  public List<Trial> trials(long seed) {
    return Runs.trials(SCENARIO, STRATEGIES, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    Runs runs = Runs.of(SCENARIO, STRATEGIES, outcomes);
    Window none = runs.window(Strategy.NONE);
    Window ours = runs.window(Strategy.DETECTED);
    return new Chapter(
        "6 Several data servers",
        "The same applications on four servers of 27.5 MiB/s; every file lies on all of them, and"
            + " every server finds periods and orders requests without knowing of the others."
            + " Requests of one phase come to all of them at the same time, so they mostly serve"
            + " the same job.",
        List.of(
            new Claim(
                "6.1",
                "(left open) servers that decide alone are enough",
                String.format(
                    Locale.ROOT,
                    "with detection against no control: max stretch %s, mean stretch %s, I/O"
                        + " slowdown %s, utilization %s",
                    Runs.change(ours.maxStretch(), none.maxStretch()),
                    Runs.change(ours.meanStretch(), none.meanStretch()),
                    Runs.change(ours.ioSlowdown(), none.ioSlowdown()),
                    Runs.change(ours.utilisation(), none.utilisation())),
                ours.isBetterThan(none))),
        List.of(runs.table()),
        runs.pictures());
  }
}
