package dev.sluice.papers.themis;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.papers.Jitter;
import dev.sluice.papers.Notation;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.Entrant;
import dev.sluice.papers.arena.LocalEntrants;
import dev.sluice.papers.arena.Metric;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.Connections;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Jobs that write all the time under size-fair, user-fair and group-then-user-fair sharing, and an
 * application beside one that does: by how close shares are, how steady, and how little the
 * application is slowed down.
 */
public final class ThemisContest implements Contest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BYTES_PER_SECOND = 500_000_000L;
  private static final long REQUEST_BYTES = 1 << 20;
  private static final long SECONDS = 60;
  private static final int THREADS = 8;
  private static final String SERVER = "bb0";

  /** While buckets fill and jobs begin, nothing is measured. */
  private static final int WARM_UP_SAMPLES = 5;

  private static final List<Case> CASES =
      List.of(
          new Case(
              "size-fair",
              ShareGrouping.FLAT,
              List.of(writer("large", "ann", "g1", 4, 32), writer("small", "bob", "g1", 1, 32)),
              Map.of("large", 0.8, "small", 0.2)),
          new Case(
              "user-fair",
              new ShareGrouping(List.of(Level.USER), Map.of()),
              List.of(
                  writer("ann-1", "ann", "g1", 2, 16),
                  writer("ann-2", "ann", "g1", 2, 16),
                  writer("bob-1", "bob", "g1", 1, 8)),
              Map.of("ann-1", 0.25, "ann-2", 0.25, "bob-1", 0.5)),
          new Case(
              "group-then-user-fair",
              new ShareGrouping(List.of(Level.GROUP, Level.USER), Map.of()),
              List.of(
                  writer("ann-1", "ann", "g1", 3, 24),
                  writer("ann-2", "ann", "g1", 1, 8),
                  writer("bob-1", "bob", "g1", 2, 16),
                  writer("cyd-1", "cyd", "g2", 1, 8)),
              Map.of("ann-1", 3.0 / 16, "ann-2", 1.0 / 16, "bob-1", 0.25, "cyd-1", 0.5)));

  private static final String APPLICATION = "application";

  /**
   * Jobs that never stop.
   *
   * @param parts what each is to have of the server
   */
  private record Case(
      String name, ShareGrouping shares, List<JobSpec> jobs, Map<String, Double> parts) {}

  @Override
  public String id() {
    return "themis";
  }

  @Override
  public String heading() {
    return "ThemisIO: composite fairness";
  }

  @Override
  public String text() {
    return "Jobs that write all the time on one server for a minute: a large one beside a small one"
        + " (size-fair), a user with two jobs beside one with a single job (user-fair), and two"
        + " groups with three users (group-then-user-fair); and an application of 16 nodes that"
        + " writes 1 GB every 5 s beside a job of one node with 64 processes that never stops. The"
        + " paper's workloads are benchmarks and programs on a burst buffer that we do not have;"
        + " these have their shapes. Who knows no tree of shares cannot give users theirs.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(Duel.against("themis"));
  }

  @Override
  public List<Entrant> entrants() {
    return LocalEntrants.all();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric("shares off by", Notation.PART, true),
        new Metric("variation", Notation.PART, true),
        new Metric("application's speed", Notation.PART, false),
        new Metric("moved", Notation.MEGABYTES_PER_SECOND, false));
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    List<Scenario> scenarios =
        new ArrayList<>(
            CASES.stream().map(one -> scenario(one.name(), one.shares(), one.jobs())).toList());
    scenarios.add(
        scenario(
            "interference",
            ShareGrouping.FLAT,
            List.of(
                job(
                    APPLICATION,
                    "ann",
                    "g1",
                    16,
                    new ProcessGroup(
                        16,
                        0,
                        SECOND,
                        1,
                        new Workload.Bursts(
                            Operation.WRITE,
                            Long.MAX_VALUE,
                            1_000_000_000L / 16,
                            REQUEST_BYTES,
                            5 * SECOND,
                            0.05),
                        layout())),
                writer("background", "bob", "g1", 1, 64))));
    return scenarios.stream().map(one -> Jitter.ofStarts(one, SECOND)).toList();
  }

  private static Scenario scenario(String name, ShareGrouping shares, List<JobSpec> jobs) {
    return new Scenario(
        name,
        "Jobs that share one server.",
        Scenario.Mode.REQUESTS,
        SECONDS * SECOND,
        SECOND,
        0,
        0,
        List.of(
            new TargetSpec(
                new Target(SERVER, BYTES_PER_SECOND, TokenUnit.BYTES),
                BYTES_PER_SECOND,
                0,
                0,
                THREADS,
                null)),
        jobs,
        List.of(),
        Connections.ONE_PER_NODE,
        shares);
  }

  private static JobSpec writer(String name, String user, String group, long nodes, int processes) {
    return job(
        name,
        user,
        group,
        nodes,
        new ProcessGroup(
            processes,
            0,
            SECOND,
            1,
            new Workload.Sequential(Operation.WRITE, 1L << 40, REQUEST_BYTES),
            layout()));
  }

  private static FileLayout layout() {
    return new FileLayout(FileLayout.Placement.GIVEN, 1, REQUEST_BYTES, List.of(SERVER));
  }

  private static JobSpec job(
      String name, String user, String group, long nodes, ProcessGroup processes) {
    return new JobSpec(
        JobId.of(name), user, nodes, 0, 0, List.of(processes), JobId.of(name), "", "", group);
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    double off = 0;
    double variation = 0;
    double bytes = 0;
    int jobs = 0;
    for (int i = 0; i < CASES.size(); i++) {
      RunResult run = runs.get(i);
      double all = run.jobs().stream().mapToDouble(JobResult::bytes).sum();
      for (JobResult job : run.jobs()) {
        double part = CASES.get(i).parts().getOrDefault(job.id().toString(), 0.0);
        off = Math.max(off, Math.abs(job.bytes() / all - part));
        variation += variation(job.served());
        jobs++;
      }
    }
    for (RunResult run : runs) {
      bytes += run.jobs().stream().mapToDouble(JobResult::bytes).sum();
    }
    RunResult last = runs.getLast();
    double speed = last.jobs().getFirst().speed(last.endNanos()).orElse(0);
    return new double[] {off, variation / jobs, speed, bytes / runs.size() / SECONDS};
  }

  /** How far seconds are from their mean, as a part of it. */
  private static double variation(Timeline served) {
    double sum = 0;
    double squares = 0;
    int count = 0;
    for (int i = WARM_UP_SAMPLES; i < served.size() - 1; i++) {
      sum += served.value(i);
      squares += served.value(i) * served.value(i);
      count++;
    }
    double mean = sum / count;
    return mean == 0 ? 1 : Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean;
  }
}
