package dev.sluice.sim.papers.adaptbf;

import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Section IV-D: allocation by priority, and what happens when jobs end. */
final class AllocationExperiment extends ScenarioExperiment {
  private static final String SCENARIO = "allocation";
  private static final double[] PRIORITIES = {0.1, 0.1, 0.3, 0.5};

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
  List<Claim> claims(Runs runs) {
    return List.of(
        order(runs), proportion(runs), freed(runs), aggregate(runs), gains(runs), losses(runs));
  }

  private static Claim order(Runs runs) {
    boolean ours =
        runs.end("adaptbf", 4) < runs.end("adaptbf", 3)
            && runs.end("adaptbf", 3) < Math.min(runs.end("adaptbf", 1), runs.end("adaptbf", 2));
    double spread = runs.end("none", 1) / runs.end("none", 4) - 1;
    return new Claim(
        "IV-D.1",
        "jobs of higher priority finish earlier; without control priority plays no role",
        String.format(
            Locale.ROOT,
            "AdapTBF: jobs 4, 3, 2, 1 end at %.0f, %.0f, %.0f, %.0f s; No BW: all within %.1f %%",
            runs.end("adaptbf", 4),
            runs.end("adaptbf", 3),
            runs.end("adaptbf", 2),
            runs.end("adaptbf", 1),
            100 * Math.abs(spread)),
        ours && Math.abs(spread) < 0.05);
  }

  /** While all four are there, which is at least until the first of them ends. */
  private static Claim proportion(Runs runs) {
    double until = runs.end("adaptbf", 4) - 1;
    double all = 0;
    for (int job = 1; job <= 4; job++) {
      all += runs.rate("adaptbf", job, 1, until);
    }
    double worst = 0;
    List<String> shares = new ArrayList<>();
    for (int job = 1; job <= 4; job++) {
      double share = runs.rate("adaptbf", job, 1, until) / all;
      worst = Math.max(worst, Math.abs(share - PRIORITIES[job - 1]));
      shares.add(String.format(Locale.ROOT, "%.1f", 100 * share));
    }
    return new Claim(
        "IV-D.2",
        "tokens are allocated in proportion to priority: 10, 10, 30, 50 %",
        "while all are there: " + String.join(", ", shares) + " %",
        worst < 0.02);
  }

  private static Claim freed(Runs runs) {
    double from = runs.end("adaptbf", 4) + 1;
    double to = runs.end("adaptbf", 3) - 1;
    double ours = rest(runs, "adaptbf", from, to);
    double fixed = rest(runs, "static", runs.end("static", 4) + 1, runs.end("static", 3) - 1);
    return new Claim(
        "IV-D.3",
        "what a job that ended leaves goes to the others; under Static BW it is lost",
        "after job 4 ended: "
            + Runs.megabytes(ours)
            + " in all under AdapTBF, "
            + Runs.megabytes(fixed)
            + " under Static BW",
        ours > 0.97 * runs.total("none") && fixed < 0.6 * runs.total("none"));
  }

  private static double rest(Runs runs, String policy, double from, double to) {
    double rate = 0;
    for (int job = 1; job <= 3; job++) {
      rate += runs.rate(policy, job, from, to);
    }
    return rate;
  }

  private static Claim aggregate(Runs runs) {
    double ours = runs.total("adaptbf");
    return new Claim(
        "IV-D.4",
        "AdapTBF has the highest aggregate throughput",
        "AdapTBF "
            + Runs.megabytes(ours)
            + ", No BW "
            + Runs.megabytes(runs.total("none"))
            + ", Static BW "
            + Runs.megabytes(runs.total("static"))
            + ", fair "
            + Runs.megabytes(runs.total("fair"))
            + ": on par with No BW at best, as the device is never idle there",
        ours > runs.total("none") && ours > runs.total("static"));
  }

  private static Claim gains(Runs runs) {
    return new Claim(
        "IV-D.5",
        "jobs 3 and 4 gain against No BW",
        "job 3 "
            + Texts.change(runs.gain(3, "none"))
            + ", job 4 "
            + Texts.change(runs.gain(4, "none")),
        runs.gain(3, "none") > 0.1 && runs.gain(4, "none") > 0.1);
  }

  private static Claim losses(Runs runs) {
    return new Claim(
        "IV-D.6",
        "jobs 1 and 2 lose little",
        "job 1 "
            + Texts.change(runs.gain(1, "none"))
            + ", job 2 "
            + Texts.change(runs.gain(2, "none")),
        runs.gain(1, "none") > -0.1 && runs.gain(2, "none") > -0.1);
  }
}
