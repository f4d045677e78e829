package dev.sluice.sim.papers.adaptbf;

import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Texts;
import java.util.ArrayList;
import java.util.List;

/** Section IV-E: bursts of high priority beside a job of low priority that never stops. */
final class RedistributionExperiment extends ScenarioExperiment {
  private static final String SCENARIO = "redistribution";

  RedistributionExperiment() {
    super(
        SCENARIO,
        "IV-E Token redistribution",
        "Jobs 1 to 3 have 30 % each and write in short bursts that meet now and then; job 4 has 10"
            + " % and 16 processes that write all the time. The paper gives neither the sizes nor"
            + " the intervals of its bursts; ours are in examples/scenarios/redistribution.yaml,"
            + " and the files are larger, so that the jobs run side by side for about two"
            + " minutes.");
  }

  @Override
  List<Claim> claims(Runs runs) {
    return List.of(
        gains(runs, "IV-E.1", "none", "No BW", 0.1),
        gains(runs, "IV-E.2", "static", "Static BW", Runs.GAIN_MIN),
        aggregate(runs));
  }

  private static Claim gains(Runs runs, String id, String than, String name, double least) {
    List<String> parts = new ArrayList<>();
    boolean holds = true;
    for (int job = 1; job <= 3; job++) {
      double gain = runs.gain(job, than);
      parts.add("job " + job + " " + Texts.change(gain));
      holds &= gain > least;
    }
    return new Claim(id, "jobs 1 to 3 gain against " + name, String.join(", ", parts), holds);
  }

  private static Claim aggregate(Runs runs) {
    double ours = runs.total("adaptbf");
    return new Claim(
        "IV-E.3",
        "the aggregate lies between Static BW and No BW",
        "Static BW "
            + Runs.megabytes(runs.total("static"))
            + ", AdapTBF "
            + Runs.megabytes(ours)
            + ", No BW "
            + Runs.megabytes(runs.total("none"))
            + "; fair "
            + Runs.megabytes(runs.total("fair")),
        ours > runs.total("static") && ours < runs.total("none"));
  }
}
