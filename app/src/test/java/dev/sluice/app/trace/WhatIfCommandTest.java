package dev.sluice.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.Policies;
import dev.sluice.history.trace.Look;
import dev.sluice.history.trace.TraceWriter;
import dev.sluice.history.trace.TracedJob;
import dev.sluice.history.trace.TracedTarget;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.Workload;
import dev.sluice.studies.whatif.TraceScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
@Timeout(600)
class WhatIfCommandTest {
  private static final long LOOK = 100_000_000;
  private static final TracedTarget DISK = new TracedTarget("disk", 100_000_000, 0, 1);

  @TempDir Path directory;

  /** A job that reads in the first so many looks of every so many. */
  private record Habit(TracedJob job, int busyLooks, int everyLooks, int firstLook, long bytes) {
    boolean isBusy(int look) {
      return (look + firstLook) % everyLooks < busyLooks;
    }

    Look.Row row() {
      long reads = Math.max(1, bytes >> 17);
      return new Look.Row(
          DISK, job, reads, bytes, 0, 0, 1, 40_000_000, 20_000_000, LOOK, (int) reads);
    }
  }

  private Path trace(List<Habit> habits, int seconds) throws IOException {
    Path file = directory.resolve("recorded.trace");
    try (TraceWriter writer = TraceWriter.create(file, 0, "none")) {
      int look = 0;
      for (int second = 0; second < seconds; second++) {
        List<Look> looks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          List<Look.Row> rows = new ArrayList<>();
          for (Habit habit : habits) {
            if (habit.isBusy(look)) {
              rows.add(habit.row());
            }
          }
          looks.add(new Look(++look * LOOK, LOOK, rows));
        }
        writer.append(looks);
      }
    }
    return file;
  }

  /**
   * Who floods a target with many requests at once ruins it for whoever asks for little, unless
   * somebody tells them apart.
   */
  @Test
  void findsThatSharesServeThemBetterThanNone() throws IOException {
    Path file =
        trace(
            List.of(
                new Habit(new TracedJob("flood", "bob", 1), 300, 300, 0, 11_000_000),
                new Habit(new TracedJob("notebook", "anna", 1), 2, 20, 0, 1_000_000)),
            30);
    Path out = directory.resolve("out");
    Cli cli =
        Cli.run(
            "whatif",
            file.toString(),
            "--quiet",
            "--policy",
            "none",
            "--policy",
            "fair",
            "--out",
            out.toString());
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .contains("recorded.trace: 30 s of 2 jobs, recorded under none")
        .containsSubsequence("completion", "fair ", "none (was in force)")
        .contains("fair would have served them best over all")
        .contains("none, which was in force, comes to");
    assertThat(out.toFile().list()).contains("report.html", "result.json", "jobs.csv");
    assertThat(Files.readString(out.resolve("jobs.csv"))).contains("flood", "notebook");
  }

  /**
   * 149 jobs beside one that is idle and has so large a weight that fixed rates leave the others
   * nothing. Those few that are served are served at once, and all of them to the same part: who
   * looks at them alone finds nothing better.
   */
  @Test
  void aPolicyThatLetsJobsStarveComesLast() throws IOException {
    TracedTarget slow = new TracedTarget("slow", 100, 1, 0);
    Path file = directory.resolve("starving.trace");
    int looks = 200;
    try (TraceWriter writer = TraceWriter.create(file, 0, "static")) {
      for (int look = 0; look < looks; look++) {
        List<Look.Row> rows = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
          if (look % 100 == i % 100) {
            TracedJob job = new TracedJob("job-" + i, "u", i == 0 ? 10_000_000 : 1);
            rows.add(new Look.Row(slow, job, 5, 0, 0, 0, 0, 50_000_000, 0, 50_000_000, 5));
          }
        }
        writer.append(List.of(new Look((look + 1) * LOOK, LOOK, rows)));
      }
    }

    Cli cli =
        Cli.run("whatif", file.toString(), "--quiet", "--policy", "static", "--policy", "fair");

    assertThat(cli.err()).isEmpty();
    assertThat(cli.out())
        .containsSubsequence("still waiting", "\n  fair ", "\n  static (was in force) ")
        .contains("fair would have served them best over all")
        .contains("static lets 149 jobs starve: at the end a request has waited for ")
        .contains("Best by completion: fair; by fairness: fair; by tail wait: fair;");
  }

  @Test
  void bytesOperationsAndPausesAreTheRecordedOnesWhateverTheGrain() {
    TraceScenario recorded = new TraceScenario();
    Habit habit = new Habit(new TracedJob("j", "u", 3), 5, 20, 0, 10_000_000);
    int looks = 2_000;
    for (int i = 0; i < looks; i++) {
      recorded.add(
          new Look((i + 1) * LOOK, LOOK, habit.isBusy(i) ? List.of(habit.row()) : List.of()));
    }
    Scenario scenario = recorded.scenario("s", List.of("none"));
    assertThat(scenario.jobs()).hasSize(1);
    assertThat(scenario.jobs().getFirst().nodes()).isEqualTo(3);
    Workload.Recorded workload =
        (Workload.Recorded) scenario.jobs().getFirst().processes().getFirst().workload();
    long bytes = 0;
    long operations = 0;
    long pauses = 0;
    for (Workload.Recorded.Bout bout : workload.bouts()) {
      pauses += bout.pauseNanos();
      for (Workload.Recorded.Cell cell : bout.cells()) {
        for (int i = 0; i < cell.requests(); i++) {
          bytes += cell.bytesOf(i);
          operations += cell.operationsOf(i);
        }
      }
    }
    assertThat(bytes).isEqualTo(500L * 10_000_000);
    assertThat(operations).isEqualTo(500L * (10_000_000 >> 17) + 500);
    assertThat(pauses).isEqualTo(99 * 15 * LOOK);
    assertThat(recorded.notes()).isEmpty();
  }

  /** An hour of a hundred jobs, through every policy there is. */
  @Test
  void anHourOfAHundredJobsThroughEveryPolicy() throws IOException {
    List<Habit> habits = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      habits.add(
          new Habit(
              new TracedJob("job-" + i, "user-" + i % 7, 1 + i % 5),
              20 + i,
              1_200 + 7 * i,
              31 * i,
              1_500_000));
    }
    Path file = trace(habits, 3_600);
    Cli cli = Cli.run("whatif", file.toString(), "--quiet");
    assertThat(cli.err()).isEmpty();
    assertThat(cli.out()).contains("1 h of 100 jobs").contains("would have served them best");
    Policies.ALL
        .policies()
        .forEach(policy -> assertThat(cli.out()).contains("\n  " + policy.info().name() + " "));
  }

  @Test
  void whatIsWrongIsOneLine() throws IOException {
    assertThat(Cli.run("whatif", "nowhere.trace").err()).contains("no such file");
    Path empty = trace(List.of(), 3);
    assertThat(Cli.run("whatif", empty.toString()).err()).contains("nobody did anything");
    Path other = directory.resolve("x.yaml");
    Files.writeString(other, "a: b");
    Cli cli = Cli.run("whatif", other.toString());
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).contains("expected a trace");
    assertThat(Cli.run("whatif", empty.toString(), "--policy", "fiar").err()).contains("fair");
  }
}
