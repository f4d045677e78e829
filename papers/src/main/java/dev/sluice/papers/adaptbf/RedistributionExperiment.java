package dev.sluice.papers.adaptbf;

import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.each;
import static dev.sluice.papers.Condition.more;
import static dev.sluice.papers.Condition.rising;

import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Outcomes;
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
            + " minutes. Processes begin within a second, at instants drawn from the seed.");
  }

  @Override
  List<Claim> claims(PolicyRuns runs, Outcomes outcomes) {
    return List.of(
        gains(runs, "IV-E.1", "none"),
        gains(runs, "IV-E.2", "static")
            .because(
                "Static BW keeps 30 % of the device for each of these jobs all the time, and our"
                    + " bursts nearly fit into that; the paper does not give its own"),
        aggregate(runs),
        loss(runs));
  }

  private static Claim gains(PolicyRuns runs, String id, String than) {
    List<Figure> gains = runs.gains(than, 1, 2, 3);
    List<String> jobs = PolicyRuns.names(gains);
    return new Claim(
            id,
            "jobs 1 to 3 gain significantly against " + PolicyRuns.POLICIES.get(than),
            gains,
            each(jobs, job -> atLeast(job, PolicyRuns.SIGNIFICANT_PERCENT)))
        .orWeaker(each(jobs, job -> more(job, 0)));
  }

  private static Claim aggregate(PolicyRuns runs) {
    return new Claim(
        "IV-E.3",
        "the aggregate lies between Static BW and No BW",
        runs.totals(),
        rising("Static BW", "AdapTBF", "No BW"));
  }

  private static Claim loss(PolicyRuns runs) {
    return new Claim(
        "IV-E.4",
        "job 4 loses little against No BW",
        runs.gains("none", 4),
        atLeast("job 4 against No BW", -PolicyRuns.LITTLE_PERCENT));
  }
}
