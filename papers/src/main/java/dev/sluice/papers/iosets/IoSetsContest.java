package dev.sluice.papers.iosets;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Condition;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import dev.sluice.papers.arena.Contest;
import dev.sluice.papers.arena.Entrant;
import dev.sluice.papers.arena.LocalEntrants;
import dev.sluice.papers.arena.Metric;
import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.LongFunction;

/** Applications that compute and write in turns, by the four metrics of IO-Sets. */
public final class IoSetsContest implements Contest {
  private static final long SECOND = 1_000_000_000L;
  private static final String SET_10 = "Set-10";
  private static final String TOLD = "sojourn, told";
  private static final String TOLD_WRONG = "sojourn, told wrong by half";
  private static final String SIXTEEN_PERIODS = "fast=19.2 s, slow-*=384 s";
  private static final String SIXTEEN_PHASES = "fast=128 MiB, slow-*=2560 MiB";

  private final String id;
  private final String heading;
  private final String text;
  private final long fromNanos;
  private final String periods;
  private final String phases;
  private final LongFunction<Scenario> scenario;

  private IoSetsContest(
      String id,
      String heading,
      String text,
      long fromNanos,
      String periods,
      String phases,
      LongFunction<Scenario> scenario) {
    this.id = id;
    this.heading = heading;
    this.text = text;
    this.fromNanos = fromNanos;
    this.periods = periods;
    this.phases = phases;
    this.scenario = scenario;
  }

  /** The paper's, and the two that our trials had beside them. */
  public static List<Contest> all() {
    return List.of(
        sixteen(
            "iosets",
            "IO-Sets: sixteen applications",
            "The paper's experiment: one application with a short period beside fifteen with a long"
                + " one.",
            SIXTEEN_PHASES),
        sixteen(
            "iosets-servers",
            "IO-Sets: four servers",
            "The same on four servers that know nothing of each other.",
            "fast=32 MiB, slow-*=640 MiB"),
        sixteen(
            "iosets-overload",
            "IO-Sets: overload",
            "The same applications ask for 1.25 times what the server can do.",
            "fast=128 MiB, slow-*=3424 MiB"),
        new IoSetsContest(
            "four-kinds",
            "Four kinds of applications",
            "Sixteen applications of four kinds, which compute for 18, 120, 360 and 900 s, at a"
                + " load of 0.95; every computation is longer or shorter by up to 20 %, and each"
                + " application begins somewhere in its cycle.",
            600 * SECOND,
            "a-*=19.2 s, b-*=125.5 s, c-*=383.3 s, d-*=981.8 s",
            "a-*=128 MiB, b-*=600 MiB, c-*=2560 MiB, d-*=9000 MiB",
            IoSetsContest::fourKinds));
  }

  private static Contest sixteen(String scenario, String heading, String text, String phases) {
    return new IoSetsContest(
        scenario,
        heading,
        text + " " + Timing.UNSTEADY.inWords(),
        400 * SECOND,
        SIXTEEN_PERIODS,
        phases,
        seed -> Timing.UNSTEADY.scenario(scenario, seed));
  }

  private static Scenario fourKinds(long seed) {
    Scenario one = Timing.IN_STEP.scenario("iosets", seed);
    List<JobSpec> jobs = new ArrayList<>();
    jobs.addAll(kind("a", 2, 18, 16, seed));
    jobs.addAll(kind("b", 4, 120, 75, seed));
    jobs.addAll(kind("c", 8, 360, 320, seed));
    jobs.addAll(kind("d", 2, 900, 1_125, seed));
    return new Scenario(
        "four-kinds",
        "Sixteen applications of four kinds on one server.",
        one.mode(),
        6_600 * SECOND,
        one.sampleNanos(),
        0,
        0,
        one.targets(),
        jobs,
        List.of());
  }

  private static List<JobSpec> kind(
      String name, int count, long computeSeconds, long mebibytes, long seed) {
    List<JobSpec> jobs = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String id = String.format(Locale.ROOT, "%s-%d", name, i);
      SplittableRandom random = Seeds.random(seed, "start of " + id);
      jobs.add(
          new JobSpec(
              JobId.of(id),
              id,
              1,
              (long) (random.nextDouble() * computeSeconds * SECOND),
              0,
              List.of(
                  new ProcessGroup(
                      8,
                      0,
                      1,
                      new Workload.Phases(
                          100_000,
                          computeSeconds * SECOND,
                          0.2,
                          Operation.WRITE,
                          mebibytes << 20,
                          1 << 20),
                      new FileLayout(FileLayout.Placement.ROUND_ROBIN, 1, 1 << 20, List.of())))));
    }
    return jobs;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String heading() {
    return heading;
  }

  @Override
  public String text() {
    return text
        + " Set-10 is told all periods, as in the paper; iosets finds them. sojourn is told nothing"
        + " unless it says so: told is what phases come to, and wrong by half the same, half too"
        + " much or too little.";
  }

  @Override
  public List<Duel> duels() {
    return List.of(new Duel(TOLD, SET_10), Duel.against("iosets"));
  }

  /** What finding sizes costs beside being told them, and what being told wrong ones does. */
  @Override
  public List<Claim> promises(Map<String, double[]> measured) {
    List<Figure> parts = new ArrayList<>();
    List<Figure> losses = new ArrayList<>();
    for (int i = 0; i < metrics().size(); i++) {
      String name = metrics().get(i).name();
      double fair = of("fair", i, measured);
      double told = of(TOLD, i, measured);
      double found = of(Entrant.OURS, i, measured);
      double wrong = of(TOLD_WRONG, i, measured);
      double sign = metrics().get(i).lessIsBetter() ? 1 : -1;
      parts.add(Figure.of(name, (fair - found) / (fair - told), Notation.PART));
      losses.add(Figure.of(name, sign * (wrong / fair - 1), Notation.CHANGE));
    }
    List<String> names = metrics().stream().map(Metric::name).toList();
    return List.of(
        new Claim(
                id + ".found",
                "sojourn has at least 90 % of what it gains against fair when it is told sizes",
                parts,
                Condition.each(names, name -> Condition.atLeast(name, 90)))
            .because(
                "the first phase of an application is nobody's to know, and the largest have six of"
                    + " them in a run"),
        new Claim(
            id + ".wrong",
            "told sizes that are wrong by half, it is worse than fair by no more than 5 %",
            losses,
            Condition.each(names, name -> Condition.atMost(name, 5))));
  }

  private static double of(String title, int metric, Map<String, double[]> measured) {
    return Objects.requireNonNull(measured.get(title), title)[metric];
  }

  @Override
  public List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>(LocalEntrants.all());
    entrants.add(Entrant.of(SET_10, "iosets", "periods", periods));
    entrants.add(Entrant.of(TOLD, Entrant.OURS, "phases", phases));
    entrants.add(new Entrant(TOLD_WRONG, Entrant.OURS, Map.of("phases", phases, "error", "0.5")));
    return entrants;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        new Metric("max stretch", Notation.RATIO, true)
            .losing(
                "the largest applications have few phases in a run, the first of which nobody knows"
                    + " unless it is told"),
        new Metric("mean stretch", Notation.RATIO, true),
        new Metric("I/O slowdown", Notation.RATIO, true)
            .losing(
                "where many begin at once that nobody knows, the first of them is done late, and"
                    + " once all are done the target stands still until that one is back; where it"
                    + " is full all the time everybody serves as much, and a geometric mean is the"
                    + " larger the more even what it is of"),
        new Metric("utilization", Notation.RATIO, false));
  }

  @Override
  public List<Scenario> scenarios(long seed) {
    Scenario whole = scenario.apply(seed);
    return List.of(whole.withEndNanos(fromNanos), whole);
  }

  @Override
  public double[] measure(List<RunResult> runs, List<RunResult> baseline) {
    Window window = Window.between(runs.getFirst(), runs.getLast());
    return new double[] {
      window.maxStretch(), window.meanStretch(), window.ioSlowdown(), window.utilisation()
    };
  }
}
