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
import java.util.List;

/** AdapTBF's experiments, by throughput and, where there are bursts, how long they take. */
public final class AdapTbfContest implements Contest {
  /** In all three experiments the fourth job is the one that takes most without control. */
  private static final int GREEDY = 3;

  private final String scenario;
  private final String heading;
  private final String text;

  private AdapTbfContest(String scenario, String heading, String text) {
    this.scenario = scenario;
    this.heading = heading;
    this.text = text;
  }

  /** Sections IV-D, IV-E and IV-F. */
  public static List<Contest> all() {
    return List.of(
        new AdapTbfContest(
            "allocation",
            "AdapTBF IV-D: allocation",
            "Four jobs that write all the time, with 10, 10, 30 and 50 % of the nodes."),
        new AdapTbfContest(
            "redistribution",
            "AdapTBF IV-E: redistribution",
            "Three large jobs with bursts, and a small one that writes all the time."),
        new AdapTbfContest(
            "recompensation",
            "AdapTBF IV-F: re-compensation",
            "Three jobs with small bursts that write all the time one after another, and one that"
                + " does so from the start; all are equal."));
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
        + " their time in I/O is how long one of them waits for storage in all, on average, and the"
        + " p99 is that of single requests, of the worst of them: who is served burst after burst"
        + " waits once for each, who shares waits a little for every request.";
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
    return List.of(
        new Metric("aggregate", Notation.MEGABYTES_PER_SECOND, false),
        new Metric("throughput of the others", Notation.MEGABYTES_PER_SECOND, false),
        new Metric("their time in I/O", Notation.SECONDS, true),
        new Metric("p99 of their requests, s", Notation.RATIO, true),
        new Metric("makespan", Notation.SECONDS, true));
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
    long end = 0;
    for (int i = 0; i < run.jobs().size(); i++) {
      JobResult job = run.jobs().get(i);
      end = Math.max(end, job.isDone() ? job.endNanos() : run.endNanos());
      if (i != GREEDY) {
        throughput += summary.jobs().get(i).bytesPerSecond().orElse(0) / GREEDY;
        ioSeconds += job.ioNanos() / 1e9 / GREEDY;
        p99Seconds = Math.max(p99Seconds, job.latency().p99Nanos() / 1e9);
      }
    }
    return new double[] {
      summary.total().bytesPerSecond().orElse(0), throughput, ioSeconds, p99Seconds, end / 1e9
    };
  }
}
