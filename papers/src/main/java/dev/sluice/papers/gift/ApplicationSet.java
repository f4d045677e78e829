package dev.sluice.papers.gift;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** So many applications on the paper's 64 targets for so many days. */
record ApplicationSet(int applications, int days) {
  static final long TARGET_BYTES_PER_SECOND = 102_000_000;
  private static final int TARGETS = 64;
  private static final int TARGET_THREADS = 16;
  private static final long DAY_NANOS = 86_400_000_000_000L;

  /** Two a day: jobs by the ten thousand keep a timeline each. */
  private static final long SAMPLE_NANOS = DAY_NANOS / 2;

  /**
   * Nodes there are for each that is wanted. Below 1 somebody always waits for nodes, so that
   * whatever shortens runs lets more jobs be done.
   */
  private static final double NODES_PART = 0.9;

  String inWords() {
    return applications + " applications, " + days + " days";
  }

  /** The applications. */
  List<Application> drawn(long seed) {
    return IntStream.rangeClosed(1, applications)
        .mapToObj(number -> Application.draw(number, seed))
        .toList();
  }

  /** The world in which they run. */
  Scenario scenario(long seed) {
    List<TargetSpec> targets = new ArrayList<>();
    for (int j = 1; j <= TARGETS; j++) {
      Target told =
          new Target(
              String.format(Locale.ROOT, "ost%02d", j), TARGET_BYTES_PER_SECOND, TokenUnit.BYTES);
      targets.add(new TargetSpec(told, TARGET_BYTES_PER_SECOND, 0, 0, TARGET_THREADS, null));
    }
    List<String> names = targets.stream().map(TargetSpec::name).toList();
    long endNanos = days * DAY_NANOS;
    List<JobSpec> jobs = new ArrayList<>();
    double wantedNodes = 0;
    for (Application application : drawn(seed)) {
      List<JobSpec> runs = application.runs(names, endNanos, seed);
      jobs.addAll(runs);
      wantedNodes += runs.size() * application.nodes() * application.expectedNanos() / endNanos;
    }
    return new Scenario(
        "gift-" + applications + "-applications-" + days + "-days",
        "",
        Scenario.Mode.FLUID,
        endNanos,
        SAMPLE_NANOS,
        0,
        Math.max(128, Math.round(NODES_PART * wantedNodes)),
        targets,
        jobs,
        List.of());
  }
}
