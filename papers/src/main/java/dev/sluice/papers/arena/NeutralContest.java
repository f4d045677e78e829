package dev.sluice.papers.arena;

import dev.sluice.papers.Jitter;
import dev.sluice.papers.Notation;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;
import java.util.List;

/**
 * Mixes that nobody's policy was made for. A job's speed is how fast it is as a part of how fast it
 * would be alone.
 */
public final class NeutralContest implements Contest {
  /** As on machines that other things happen on. */
  private static final double JITTER = 0.1;

  private static final long STARTS_WITHIN_NANOS = 1_000_000_000L;

  private final String scenario;
  private final String heading;

  private NeutralContest(String scenario, String heading) {
    this.scenario = scenario;
    this.heading = heading;
  }

  /** Three of them. */
  public static List<Contest> all() {
    return List.of(
        new NeutralContest("mix-training", "Training, checkpoints and people"),
        new NeutralContest("mix-storm", "A storm of metadata"),
        new NeutralContest("mix-center", "A bit of everything"));
  }

  @Override
  public String id() {
    return scenario;
  }

  @Override
  public String heading() {
    return "Neutral: " + heading;
  }

  @Override
  public String text() {
    return "examples/scenarios/"
        + scenario
        + ".yaml, written by hand. A job's speed is a part of what it would have alone;"
        + " the p99 is that of requests of jobs called users.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(Duel.against("fair"));
  }

  @Override
  public List<Entrant> entrants() {
    return LocalEntrants.all();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric("mean speed", Notation.PART, false),
        new Metric("slowest job's speed", Notation.PART, false)
            .losing(
                "the slowest are those that never stop: who computes and writes in turns and is"
                    + " done sooner comes again sooner, and what it moves then is not left to them;"
                    + " the mean is higher by it"),
        new Metric("p99 of users, ms", Notation.RATIO, true)
            .losing(
                "where a phase of large requests is served alone, all threads of the server hold"
                    + " such requests, and who comes then waits for them; where others are served"
                    + " between them, some are small"),
        new Metric("moved", Notation.MEGABYTES_PER_SECOND, false));
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    return List.of(
        Jitter.of(
            Jitter.ofStarts(BuiltInScenarios.read(scenario, seed), STARTS_WITHIN_NANOS), JITTER));
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    RunResult run = runs.getFirst();
    double slowest = 1;
    double sum = 0;
    double p99Nanos = 0;
    double bytes = 0;
    for (JobResult job : run.jobs()) {
      double speed = job.speed(run.endNanos()).orElse(1);
      slowest = Math.min(slowest, speed);
      sum += speed;
      bytes += job.bytes();
      if (job.id().toString().startsWith("users")) {
        p99Nanos = Math.max(p99Nanos, (double) job.latency().p99Nanos());
      }
    }
    return new double[] {
      sum / run.jobs().size(), slowest, p99Nanos / 1e6, bytes * 1e9 / run.endNanos()
    };
  }
}
