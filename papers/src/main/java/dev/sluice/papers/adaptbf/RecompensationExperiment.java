package dev.sluice.papers.adaptbf;

import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.each;
import static dev.sluice.papers.Condition.near;
import static dev.sluice.papers.Condition.rising;

import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Jitter;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Section IV-F: who lent gets back when its own time comes. */
final class RecompensationExperiment extends ScenarioExperiment {
  static final String SCENARIO = "recompensation";

  private static final String UNSTEADY = SCENARIO + "-unsteady";

  /** When job 3's second process begins to write all the time. */
  private static final double JOB_3_BEGINS_SECONDS = 80;

  /** Two of job 3's bursts, between which its record does not change. */
  private static final double HIGHEST_WITHIN_SECONDS = 4;

  RecompensationExperiment() {
    super(
        SCENARIO,
        "IV-F Token re-compensation",
        "Four jobs of equal priority. Jobs 1 to 3 have a process that writes in small bursts and"
            + " one that writes all the time from 20, 50 and 80 s on; job 4 has 16 processes that"
            + " write all the time. The files are larger than the paper's, or job 4 would be done"
            + " before job 3 begins. Processes begin within a second, at instants drawn from the"
            + " seed.");
  }

  @Override
  List<Claim> claims(PolicyRuns runs, Outcomes outcomes) {
    return List.of(
        onPar(runs),
        farAbove(runs),
        record("IV-F.3a", "bursts at constant intervals", runs.result("adaptbf")),
        record("IV-F.3b", "intervals that vary by a tenth", outcomes.of(UNSTEADY)),
        gains(runs),
        loss(runs));
  }

  @Override
  List<Trial> ownTrials(long seed) {
    return List.of(
        new Trial(UNSTEADY, Jitter.of(PolicyRuns.scenario(SCENARIO, seed), 0.1), "adaptbf"));
  }

  @Override
  List<Picture> ownPictures(PolicyRuns runs) {
    return List.of(
        runs.figure("record", "Record of each job over time: lent above, borrowed below"),
        runs.figure("demand", "Demand of each job over time"));
  }

  private static Claim onPar(PolicyRuns runs) {
    String figure = "AdapTBF of No BW";
    return new Claim(
            "IV-F.1",
            "the aggregate is on par with No BW",
            List.of(Figure.of(figure, runs.total("adaptbf") / runs.total("none"), Notation.PART)),
            near(figure, 100, 2))
        .orWeaker(near(figure, 100, PolicyRuns.LITTLE_PERCENT));
  }

  private static Claim farAbove(PolicyRuns runs) {
    String figure = "AdapTBF against Static BW";
    return new Claim(
        "IV-F.2",
        "the aggregate is far above Static BW",
        List.of(
            Figure.of(figure, runs.total("adaptbf") / runs.total("static") - 1, Notation.CHANGE)),
        atLeast(figure, PolicyRuns.SIGNIFICANT_PERCENT));
  }

  private static Claim record(String id, String reading, RunResult run) {
    Timeline record = PolicyRuns.figure(run.jobs().get(2), "record");
    int begins = (int) (JOB_3_BEGINS_SECONDS * 1e9 / record.widthNanos());
    double first = record.value(Math.min(10, begins));
    double at = record.value(begins);
    double last = record.value(record.size() - 1);
    double highest = 0;
    int highestAt = 0;
    for (int i = 0; i < record.size(); i++) {
      if (record.value(i) > highest) {
        highest = record.value(i);
        highestAt = i;
      }
    }
    double highestSeconds = highestAt * record.widthNanos() / 1e9;
    return new Claim(
            id,
            "job 3's record rises for 80 s and then falls (" + reading + ")",
            List.of(
                Figure.of("tokens at 1 s", first, Notation.COUNT),
                Figure.of("tokens at 80 s", at, Notation.COUNT),
                Figure.of("highest at", highestSeconds, Notation.SECONDS),
                Figure.of("tokens at its end", last, Notation.COUNT)),
            all(
                rising("tokens at 1 s", "tokens at 80 s"),
                near("highest at", JOB_3_BEGINS_SECONDS, HIGHEST_WITHIN_SECONDS),
                rising("tokens at its end", "tokens at 80 s")))
        .because(
            "a burst of job 3 is larger than its share of a period, so that each makes the others"
                + " give back at once much of what it lent since the last; how much stays depends"
                + " on where in a period bursts begin. In the example scenario itself, where they"
                + " begin with a period, the record rises as in the paper");
  }

  private static Claim gains(PolicyRuns runs) {
    List<Figure> gains = new ArrayList<>(runs.gains("none", 1, 2, 3));
    gains.addAll(runs.gains("static", 1, 2, 3));
    return new Claim(
        "IV-F.4",
        "jobs 1 to 3 gain against No BW and Static BW",
        gains,
        each(PolicyRuns.names(gains), job -> atLeast(job, PolicyRuns.GAIN_PERCENT)));
  }

  private static Claim loss(PolicyRuns runs) {
    return new Claim(
            "IV-F.5",
            "job 4 loses little against No BW",
            runs.gains("none", 4),
            atLeast("job 4 against No BW", -PolicyRuns.LITTLE_PERCENT))
        .because(
            "the device is busy all the time under No BW, so what jobs 1 to 3 gain while they write"
                + " all the time is what job 4 had taken of their three quarters");
  }
}
