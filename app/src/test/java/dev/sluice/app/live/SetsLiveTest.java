package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.sim.result.JobResult;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SetsLiveTest {
  /**
   * One job writes 1 MB and computes for 1.4 s, again and again; fifteen write for as long as the
   * play lasts. At 20 MB/s the one needs 50 ms for its phase where nobody disturbs it.
   */
  private static final String SCENARIO =
      """
      end: 16 s
      targets: {t1: {bandwidth: 20 MB/s}}
      jobs:
        fast:
          processes:
            window: 4
            phases: {iterations: 1000, compute: 1.4 s, write: 1 MB, request: 64 KiB}
        slow: {repeat: 15, processes: {window: 8, sequential: {file: 1 GB, request: 256 KiB}}}
      """;

  /** The fast periodic job keeps its speed beside fifteen slow ones, and not without control. */
  @Test
  void theFastJobKeepsItsPaceBesideFifteenSlowOnes(@TempDir Path directory) throws Exception {
    double alone = 16 / 1.45;
    // At the same time: each waits for a target that is much slower than this machine.
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      Future<Double> without = both.submit(() -> phases(directory.resolve("none"), "none"));
      Future<Double> with = both.submit(() -> phases(directory.resolve("iosets"), "iosets"));
      assertThat(with.get())
          .as("phases of the fast job: %s without control, %s undisturbed", without.get(), alone)
          .isGreaterThan(1.25 * without.get());
    }
  }

  private static double phases(Path directory, String policy) throws IOException {
    Files.createDirectory(directory);
    try (LiveGateway live = LiveGateway.start(directory, 1, "20 MB/s", policy)) {
      JobResult fast =
          live.play("/t1", SCENARIO).run().jobs().stream()
              .filter(job -> job.id().equals(JobId.of("fast")))
              .findFirst()
              .orElseThrow();
      if (policy.equals("iosets")) {
        assertThat(why(live, "fast").figure("period").doubleValue())
            .as("the period that was found in the requests")
            .isBetween(1.0, 3.0);
      }
      return fast.bytes() / 1e6;
    }
  }

  private static Explanation.Reason why(LiveGateway live, String job) {
    JobExplanation explanation = live.gateway().explain(JobId.of(job)).getFirst();
    return Objects.requireNonNull(explanation.reason());
  }

  /** {@code echo 0.5 > …/JOB/priority}, and the same by command. */
  @Test
  void prioritiesAreTakenFromFilesAndCommands(@TempDir Path directory) throws Exception {
    try (LiveGateway live =
        LiveGateway.start(directory, 2, "20 MB/s", "{name: iosets, period: 100 ms}")) {
      Files.writeString(live.priorityFile("by-file"), "0.5\n");
      Files.writeString(live.priorityFile("broken"), "high\n");
      live.gateway().prioritise(JobId.of("by-command"), 0.25);
      // The files are looked at every second.
      Eventually.await(
          "what the file says holds",
          () -> {
            live.play(
                "/t2",
                """
                end: 2 s
                targets: {t2: {bandwidth: 20 MB/s}}
                jobs:
                  by-file: {processes: {sequential: {file: 1 GB, request: 64 KiB}}}
                  by-command: {processes: {sequential: {file: 1 GB, request: 64 KiB}}}
                  broken: {processes: {sequential: {file: 1 GB, request: 64 KiB}}}
                """);
            return why(live, "by-file").figure("priority").equals(0.5);
          });
      assertThat(why(live, "by-command").figure("priority")).isEqualTo(0.25);
      assertThat(why(live, "broken").figure("priority").doubleValue()).isLessThan(0.03);
      live.gateway().decideBy("fair", Map.of());
    }
  }
}
