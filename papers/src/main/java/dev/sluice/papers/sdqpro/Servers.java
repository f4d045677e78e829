package dev.sluice.papers.sdqpro;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The paper's world: twenty applications on ten servers, together just able to serve what is
 * desired. A megabyte a second of the paper is a kilobyte a second here, so that every request can
 * be simulated; nothing depends on the scale but how many there are.
 */
final class Servers {
  /** Before anything is measured, buckets that were full at first are empty. */
  private static final long WARM_UP_SECONDS = 5;

  private static final long SECONDS = 10;

  private static final long BYTES_PER_MEGABYTE = 1_000;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int THREADS = 4;

  /** Long enough that even the smallest application asks every server for something in each. */
  private static final long SLOT_NANOS = SECOND_NANOS;

  private static final String BEGIN = " (begin)";
  private static final int BORROWING = 0;
  private static final int TRADITIONAL = 2;

  /** The three systems, by what the experiments call them. */
  static final List<String> SYSTEMS = List.of("borrowing", "no borrowing", "traditional");

  private Servers() {}

  /** A run of each of the three, with requests of one size. */
  static List<Trial> trials(
      String name, Imbalance imbalance, long requestBytes, long operationNanos) {
    Scenario whole = scenario(name, imbalance, requestBytes, operationNanos);
    Scenario begin = whole.withEndNanos(WARM_UP_SECONDS * SECOND_NANOS);
    List<Trial> trials = new ArrayList<>();
    for (int system = 0; system < SYSTEMS.size(); system++) {
      String policy = system == TRADITIONAL ? "none" : "sdqpro";
      Map<String, String> settings =
          system == TRADITIONAL ? Map.of() : Map.of("lines", lines(system == BORROWING));
      trials.add(new Trial(trial(name, system), whole, policy, settings));
      trials.add(new Trial(trial(name, system) + BEGIN, begin, policy, settings));
    }
    return trials;
  }

  /** The world until everything has begun, and to its end. */
  static List<Scenario> beginAndWhole(String name, Imbalance imbalance, long requestBytes) {
    Scenario whole = scenario(name, imbalance, requestBytes, 0);
    return List.of(whole.withEndNanos(WARM_UP_SECONDS * SECOND_NANOS), whole);
  }

  private static String trial(String name, int system) {
    return name + " " + SYSTEMS.get(system);
  }

  /** What each of the three served. */
  static List<Served> served(String name, Outcomes outcomes) {
    List<Served> served = new ArrayList<>();
    for (int system = 0; system < SYSTEMS.size(); system++) {
      String trial = trial(name, system);
      served.add(new Served(outcomes.of(trial + BEGIN), outcomes.of(trial)));
    }
    return served;
  }

  static String lines(boolean borrow) {
    StringBuilder lines = new StringBuilder(borrow ? "" : "<*, borrow=FALSE>");
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      lines.append(
          String.format(Locale.ROOT, "<%s, rate=%d B/s>", application(i), bytesPerSecond(i)));
    }
    return lines.toString();
  }

  /** What each desires as a part of what all do, for policies that know weights. */
  static String weights() {
    StringBuilder weights = new StringBuilder();
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      weights.append(i == 0 ? "" : ", ").append(application(i)).append('=').append(Desired.of(i));
    }
    return weights.toString();
  }

  /** What each desires over all servers, for policies that reserve. */
  static String rates() {
    StringBuilder rates = new StringBuilder();
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      rates.append(
          String.format(
              Locale.ROOT, "%s%s=%d B/s", i == 0 ? "" : ", ", application(i), bytesPerSecond(i)));
    }
    return rates.toString();
  }

  static String application(int number) {
    return String.format(Locale.ROOT, "app-%02d", number + 1);
  }

  /** What an application desires here. */
  static long bytesPerSecond(int application) {
    return Desired.of(application) * BYTES_PER_MEGABYTE;
  }

  private static Scenario scenario(
      String name, Imbalance imbalance, long requestBytes, long operationNanos) {
    List<TargetSpec> targets = new ArrayList<>();
    long limit = Desired.sum() * BYTES_PER_MEGABYTE / Imbalance.SERVERS;
    for (int s = 0; s < Imbalance.SERVERS; s++) {
      targets.add(
          new TargetSpec(
              new Target(server(s), limit, TokenUnit.BYTES),
              limit,
              operationNanos,
              0,
              THREADS,
              null));
    }
    List<JobSpec> jobs = new ArrayList<>();
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      List<ProcessGroup> processes = new ArrayList<>();
      for (int s = 0; s < Imbalance.SERVERS; s++) {
        double requestsPerSecond = imbalance.part(i, s) * bytesPerSecond(i) / requestBytes;
        processes.add(
            new ProcessGroup(
                1,
                0,
                Math.max(1, (long) (SECOND_NANOS / requestsPerSecond)),
                1,
                new Workload.OpenLoop(
                    Operation.WRITE, requestBytes, requestsPerSecond, true, Long.MAX_VALUE),
                new FileLayout(FileLayout.Placement.GIVEN, 1, requestBytes, List.of(server(s)))));
      }
      jobs.add(new JobSpec(JobId.of(application(i)), application(i), 1, 0, 0, processes));
    }
    return new Scenario(
        name,
        "Twenty applications whose demand is spread unevenly over ten servers.",
        Scenario.Mode.REQUESTS,
        (WARM_UP_SECONDS + SECONDS) * SECOND_NANOS,
        SECOND_NANOS / 10,
        SLOT_NANOS,
        0,
        targets,
        jobs,
        List.of());
  }

  private static String server(int number) {
    return "server-" + (number + 1);
  }
}
