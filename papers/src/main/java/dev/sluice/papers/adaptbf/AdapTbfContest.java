package dev.sluice.papers.adaptbf;

import dev.sluice.papers.Notation;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.Entrant;
import dev.sluice.papers.arena.LocalEntrants;
import dev.sluice.papers.arena.Metric;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/** AdapTBF's experiments, by throughput and, where there are bursts, how long they take. */
public final class AdapTbfContest implements Contest {
  /** In all three experiments the fourth job is the one that takes most without control. */
  private static final int GREEDY = 3;

  private final String scenario;
  private final String heading;
  private final String text;
  private final boolean hasBursts;

  private AdapTbfContest(String scenario, String heading, String text, boolean hasBursts) {
    this.scenario = scenario;
    this.heading = heading;
    this.text = text;
    this.hasBursts = hasBursts;
  }

  /** Sections IV-D, IV-E and IV-F. */
  public static List<Contest> all() {
    return List.of(
        new AdapTbfContest(
            "allocation",
            "AdapTBF IV-D: allocation",
            "Four jobs that write all the time, with 10, 10, 30 and 50 % of the nodes.",
            false),
        new AdapTbfContest(
            "redistribution",
            "AdapTBF IV-E: redistribution",
            "Three large jobs with bursts, and a small one that writes all the time.",
            true),
        new AdapTbfContest(
            "recompensation",
            "AdapTBF IV-F: re-compensation",
            "Three jobs with small bursts that write all the time one after another, and one that"
                + " does so from the start; all are equal.",
            true));
  }

  @Override
  public String id() {
    return "adaptbf-" + scenario;
  }

  @Override
  public String heading() {
    return heading;
  }

  @Override
  public String text() {
    return text
        + " The aggregate is over the time until the last job ends. The others are jobs 1 to 3;"
        + " their time in I/O is how long one of them waits for storage in all, on average."
        + (hasBursts
            ? " A burst lasts from when it is due until all of it is written; the p99 is that of"
                + " the worst of them."
            : "")
        + " The paper looks at throughput alone; the p99 of single requests, of the worst of them,"
        + " is shown and not judged: who is served burst after burst waits once for each, who"
        + " shares waits a little for every request.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(Duel.against("adaptbf"));
  }

  @Override
  public List<Entrant> entrants() {
    return LocalEntrants.all();
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(new Metric("aggregate", Notation.MEGABYTES_PER_SECOND, false));
    metrics.add(new Metric("throughput of the others", Notation.MEGABYTES_PER_SECOND, false));
    metrics.add(new Metric("their time in I/O", Notation.SECONDS, true));
    metrics.add(new Metric("makespan", Notation.SECONDS, true));
    metrics.add(Metric.shown("p99 of their requests, s", Notation.RATIO));
    if (hasBursts) {
      metrics.add(new Metric("p99 of their bursts, s", Notation.RATIO, true));
    }
    return metrics;
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    return List.of(PolicyRuns.scenario(scenario, seed));
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    RunResult run = runs.getFirst();
    Summary summary = Summary.of(run);
    double throughput = 0;
    double ioSeconds = 0;
    double p99Seconds = 0;
    double burstSeconds = 0;
    long end = 0;
    for (int i = 0; i < run.jobs().size(); i++) {
      JobResult job = run.jobs().get(i);
      end = Math.max(end, job.isDone() ? job.endNanos() : run.endNanos());
      if (i != GREEDY) {
        throughput += summary.jobs().get(i).bytesPerSecond().orElse(0) / GREEDY;
        ioSeconds += job.ioNanos() / 1e9 / GREEDY;
        p99Seconds = Math.max(p99Seconds, job.latency().p99Nanos() / 1e9);
        burstSeconds = Math.max(burstSeconds, job.bursts().p99Nanos() / 1e9);
      }
    }
    double total = summary.total().bytesPerSecond().orElse(0);
    return hasBursts
        ? new double[] {total, throughput, ioSeconds, end / 1e9, p99Seconds, burstSeconds}
        : new double[] {total, throughput, ioSeconds, end / 1e9, p99Seconds};
  }
}
