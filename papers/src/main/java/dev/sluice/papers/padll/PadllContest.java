package dev.sluice.papers.padll;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.papers.Notation;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.Entrant;
import dev.sluice.papers.arena.LocalEntrants;
import dev.sluice.papers.arena.Metric;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * A scenario of table I on a server that does Max_R: who holds nobody back that need not be ends
 * when the load does. A thousand operations of the paper are one here.
 */
public final class PadllContest implements Contest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MINUTE = 60 * SECOND;
  private static final long SCALE = 1_000;
  private static final String SERVER = "mdt0";
  private static final int THREADS = 4;
  private static final long ENTER_EVERY_NANOS = 3 * MINUTE;

  /** Long enough for the worst of PADLL's own algorithms. */
  private static final long END_NANOS = 150 * MINUTE;

  private final TestScenario scenario;

  private PadllContest(TestScenario scenario) {
    this.scenario = scenario;
  }

  /** The three of table I. */
  public static List<Contest> all() {
    return TestScenario.TABLE_I.stream().<Contest>map(PadllContest::new).toList();
  }

  @Override
  public String id() {
    return "padll-" + scenario.number();
  }

  @Override
  public String heading() {
    return "PADLL: test scenario #" + scenario.number();
  }

  @Override
  public String text() {
    return "Four jobs that enter every three minutes and replay 36 minutes of metadata operations,"
        + " drawn as in our reproduction of the paper, in parts of table I; a thousand operations"
        + " are one here. What the table assigns a job are its nodes. The server does Max_R, 110 a"
        + " second, and no more: so a gateway keeps it, whatever the policy, and who holds jobs"
        + " back while the server could do more ends later. The paper judges by when all are done;"
        + " how long the longest job took is shown: unthrottled it is 36 minutes.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(Duel.against("psfa"));
  }

  @Override
  public List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>(LocalEntrants.all());
    entrants.add(Entrant.of("uniform"));
    entrants.add(Entrant.of("priority"));
    entrants.add(Entrant.of("proportional"));
    return entrants;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric("until all are done", Notation.MINUTES, true),
        Metric.shown("the longest job", Notation.MINUTES),
        Metric.shown("most in a second", Notation.COUNT));
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    LoadCurve curve = LoadCurve.drawn(seed);
    List<JobSpec> jobs = new ArrayList<>();
    for (TestScenario.Share share : scenario.jobs()) {
      int number = jobs.size() + 1;
      jobs.add(
          new JobSpec(
              JobId.of("job" + number),
              "user" + number,
              share.limitPerSecond() / SCALE,
              (number - 1) * ENTER_EVERY_NANOS,
              0,
              List.of(
                  new ProcessGroup(
                      1,
                      0,
                      0,
                      1,
                      new Workload.Replay(lines(curve, share.load())),
                      new FileLayout(FileLayout.Placement.GIVEN, 1, 1 << 20, List.of(SERVER))))));
    }
    long perSecond = TestScenario.MAXIMUM_PER_SECOND / SCALE;
    TargetSpec server =
        new TargetSpec(
            new Target(SERVER, perSecond, TokenUnit.OPERATIONS),
            1L << 40,
            SECOND / perSecond,
            0,
            THREADS,
            null);
    return List.of(
        new Scenario(
            id(),
            heading(),
            Scenario.Mode.REQUESTS,
            END_NANOS,
            SECOND,
            0,
            0,
            List.of(server),
            jobs,
            List.of()));
  }

  /** A job's part of the load, evenly over each second. */
  private static List<Workload.TraceLine> lines(LoadCurve curve, double load) {
    List<Workload.TraceLine> lines = new ArrayList<>();
    for (int second = 0; second < LoadCurve.SECONDS; second++) {
      long operations = curve.operations(load / SCALE, second);
      for (long i = 0; i < operations; i++) {
        lines.add(
            new Workload.TraceLine(
                second * SECOND + i * SECOND / operations, SERVER, Operation.GETATTR, 1));
      }
    }
    return lines;
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    RunResult run = runs.getFirst();
    long end = 0;
    long longest = 0;
    for (JobResult job : run.jobs()) {
      long ended = job.isDone() ? job.endNanos() : run.endNanos();
      end = Math.max(end, ended);
      longest = Math.max(longest, ended - job.startNanos());
    }
    return new double[] {end / (double) MINUTE, longest / (double) MINUTE, mostInASecond(run)};
  }

  /** Every operation counts as a byte here. */
  private static double mostInASecond(RunResult run) {
    double most = 0;
    int samples = run.jobs().stream().mapToInt(job -> job.served().size()).max().orElse(0);
    for (int i = 0; i < samples; i++) {
      int sample = i;
      most =
          Math.max(
              most,
              run.jobs().stream()
                  .map(JobResult::served)
                  .mapToDouble(served -> sample < served.size() ? perSecond(served, sample) : 0)
                  .sum());
    }
    return most;
  }

  private static double perSecond(Timeline served, int sample) {
    return served.value(sample) * SECOND / served.widthNanos();
  }
}
