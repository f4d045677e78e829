package dev.sluice.papers.adaptbf;

import static dev.sluice.papers.Condition.above;
import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.atMost;
import static dev.sluice.papers.Condition.each;
import static dev.sluice.papers.Condition.near;
import static dev.sluice.papers.Condition.rising;

import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;

/** Section IV-D: allocation by priority, and what happens when jobs end. */
final class AllocationExperiment extends ScenarioExperiment {
  private static final String SCENARIO = "allocation";
  private static final double[] PRIORITIES_PERCENT = {10, 10, 30, 50};

  AllocationExperiment() {
    super(
        SCENARIO,
        "IV-D Token allocation",
        "Four jobs of 16 processes, each writing a file of 1 GB as fast as it can; priorities of"
            + " 10, 10, 30 and 50 %. The simulated device is busy all the time under No BW, so no"
            + " policy can move more in all; on the paper's hardware uncontrolled writers cost each"
            + " other something that this model of a device does not have.");
  }

  @Override
  List<Claim> claims(PolicyRuns runs, Outcomes outcomes) {
    return List.of(
        order(runs), proportion(runs), freed(runs), aggregate(runs), gains(runs), losses(runs));
  }

  private static Claim order(PolicyRuns runs) {
    List<Figure> figures = new ArrayList<>();
    for (int job = 4; job >= 1; job--) {
      figures.add(Figure.of("end of job " + job, runs.end("adaptbf", job), Notation.SECONDS));
    }
    DoubleSummaryStatistics ends =
        IntStream.rangeClosed(1, 4).mapToDouble(i -> runs.end("none", i)).summaryStatistics();
    String apart = "last after first under No BW";
    figures.add(Figure.of(apart, ends.getMax() / ends.getMin() - 1, Notation.PART));
    return new Claim(
        "IV-D.1",
        "jobs of higher priority finish earlier; without control priority plays no role",
        figures,
        all(
            rising("end of job 4", "end of job 3", "end of job 2"),
            rising("end of job 3", "end of job 1"),
            atMost(apart, PolicyRuns.LITTLE_PERCENT)));
  }

  /** While all four are there, which is at least until the first of them ends. */
  private static Claim proportion(PolicyRuns runs) {
    double until = runs.end("adaptbf", 4) - 1;
    double all = 0;
    for (int job = 1; job <= 4; job++) {
      all += runs.rate("adaptbf", job, 1, until);
    }
    List<Figure> figures = new ArrayList<>();
    for (int job = 1; job <= 4; job++) {
      double share = runs.rate("adaptbf", job, 1, until) / all;
      figures.add(Figure.of("job " + job, share, Notation.PART));
    }
    return new Claim(
        "IV-D.2",
        "tokens are allocated in proportion to priority: 10, 10, 30, 50 %",
        figures,
        all(
            near("job 1", PRIORITIES_PERCENT[0], 1),
            near("job 2", PRIORITIES_PERCENT[1], 1),
            near("job 3", PRIORITIES_PERCENT[2], 1),
            near("job 4", PRIORITIES_PERCENT[3], 1)));
  }

  private static Claim freed(PolicyRuns runs) {
    double ours = rest(runs, "adaptbf") / runs.total("none");
    double fixed = rest(runs, "static") / runs.total("none");
    return new Claim(
        "IV-D.3",
        "what a job that ended leaves goes to the others; under Static BW it is lost",
        List.of(
            Figure.of("AdapTBF after job 4 ended, of No BW", ours, Notation.PART),
            Figure.of("Static BW", fixed, Notation.PART)),
        all(atLeast("AdapTBF after job 4 ended, of No BW", 97), atMost("Static BW", 55)));
  }

  /** What jobs 1 to 3 have together between the ends of job 4 and job 3. */
  private static double rest(PolicyRuns runs, String policy) {
    double from = runs.end(policy, 4) + 1;
    double to = runs.end(policy, 3) - 1;
    double rate = 0;
    for (int job = 1; job <= 3; job++) {
      rate += runs.rate(policy, job, from, to);
    }
    return rate;
  }

  private static Claim aggregate(PolicyRuns runs) {
    return new Claim(
            "IV-D.4",
            "AdapTBF has the highest aggregate throughput",
            runs.totals(),
            above("AdapTBF", "No BW", "Static BW"))
        .because(
            "the simulated device is never idle under No BW, so nothing can move more; AdapTBF is a"
                + " little below, as the capacity that it is told is that much below the device's");
  }

  private static Claim gains(PolicyRuns runs) {
    List<Figure> gains = runs.gains("none", 3, 4);
    return new Claim(
        "IV-D.5",
        "jobs 3 and 4 gain significantly against No BW",
        gains,
        each(PolicyRuns.names(gains), job -> atLeast(job, PolicyRuns.SIGNIFICANT_PERCENT)));
  }

  private static Claim losses(PolicyRuns runs) {
    List<Figure> gains = runs.gains("none", 1, 2);
    return new Claim(
        "IV-D.6",
        "jobs 1 and 2 lose little against No BW",
        gains,
        each(PolicyRuns.names(gains), job -> atLeast(job, -PolicyRuns.LITTLE_PERCENT)));
  }
}
