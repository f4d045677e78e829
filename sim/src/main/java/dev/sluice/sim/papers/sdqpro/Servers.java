package dev.sluice.sim.papers.sdqpro;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.sim.papers.Trial;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The paper's world: twenty applications on ten servers, together just able to serve what is
 * desired. A megabyte a second of the paper is a kilobyte a second here, so that every request can
 * be simulated; nothing depends on the scale but how many there are.
 */
final class Servers {
  static final double SECONDS = 10;

  private static final long BYTES_PER_MEGABYTE = 1_000;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final int THREADS = 4;

  private Servers() {}

  /** The three systems, by what the experiments call them. */
  static final List<String> SYSTEMS = List.of("borrowing", "no borrowing", "traditional");

  /** A run of each of the three, with requests of one size. */
  static List<Trial> trials(
      String name, Imbalance imbalance, long requestBytes, long operationNanos) {
    Scenario scenario = scenario(name, imbalance, requestBytes, operationNanos);
    return List.of(
        new Trial(trial(name, 0), scenario, "sdqpro", Map.of("lines", lines(true))),
        new Trial(trial(name, 1), scenario, "sdqpro", Map.of("lines", lines(false))),
        new Trial(trial(name, 2), scenario, "none"));
  }

  static String trial(String name, int system) {
    return name + " " + SYSTEMS.get(system);
  }

  private static String lines(boolean borrow) {
    StringBuilder lines = new StringBuilder(borrow ? "" : "<*, borrow=FALSE>");
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      lines.append(
          String.format(
              Locale.ROOT, "<%s, rate=%d B/s>", application(i), bytesPerSecond(i)));
    }
    return lines.toString();
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
        double requestsPerSecond =
            imbalance.part(i, s) * bytesPerSecond(i) / requestBytes;
        processes.add(
            new ProcessGroup(
                1,
                0,
                Math.max(1, (long) (SECOND_NANOS / requestsPerSecond)),
                1,
                new Workload.OpenLoop(
                    Operation.WRITE, requestBytes, requestsPerSecond, true, Long.MAX_VALUE),
                new FileLayout(
                    FileLayout.Placement.GIVEN, 1, requestBytes, List.of(server(s)))));
      }
      jobs.add(new JobSpec(JobId.of(application(i)), application(i), 1, 0, 0, processes));
    }
    return new Scenario(
        name,
        "Twenty applications whose demand is spread unevenly over ten servers.",
        Scenario.Mode.REQUESTS,
        (long) (SECONDS * SECOND_NANOS),
        SECOND_NANOS / 10,
        0,
        0,
        targets,
        jobs,
        List.of());
  }

  private static String server(int number) {
    return "server-" + (number + 1);
  }

  /** By application, what it was served a second as a part of what it desires. */
  static Map<String, Double> parts(RunResult result) {
    Map<String, Double> parts = new LinkedHashMap<>();
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      parts.put(
          application(i), result.jobs().get(i).bytes() / SECONDS / bytesPerSecond(i));
    }
    return parts;
  }

  /** What all were served a second as a part of what all desire. */
  static double share(RunResult result) {
    double served = 0;
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      served += (double) result.jobs().get(i).bytes();
    }
    return served / SECONDS / (Desired.sum() * BYTES_PER_MEGABYTE);
  }
}
