package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.history.GatewayHistory;
import dev.sluice.app.history.HistorySettings;
import dev.sluice.history.model.Sample;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.Resolution;
import dev.sluice.load.play.PlayResult;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway under load: its history, a recording of it, and what policies would make of that. */
@Timeout(180)
class HistoryLiveTest {
  private static final int SECONDS = 6;

  private static final String SCENARIO =
      "end: "
          + SECONDS
          + """
           s
          targets: {t: {bandwidth: 20 MB/s}}
          jobs:
            flood: {processes: {count: 4, window: 8, sequential: \
          {operation: write, file: 1 GB, request: 64 kB}}}
            notebook: {processes: {bursts: \
          {operation: write, file: 1 GB, burst: 512 kB, request: 64 kB, every: 1 s}}}
          """;

  @TempDir Path directory;

  @Test
  void isKeptRecordedAndPlayedAgain() throws Exception {
    Path trace = directory.resolve("live.trace");
    Path file = directory.resolve("sluice.yaml");
    String socket = directory.resolve("state/control.sock").toString();
    PlayResult played;
    try (LiveGateway live = LiveGateway.start(directory, 1, "20 MB/s", "none");
        GatewayHistory _ = GatewayHistory.begin(live.gateway(), file, HistorySettings.read(file));
        ExecutorService client = Executors.newSingleThreadExecutor()) {
      Future<PlayResult> play = client.submit(() -> live.play("/t1", SCENARIO));
      Eventually.await(
          "a job does something",
          () -> play.isDone() || !live.gateway().totals().targets().getFirst().jobs().isEmpty());
      assertThat(play.isDone()).as("whether the play ended too early").isFalse();
      Cli record = Cli.run("record", "--socket", socket, "--out", trace.toString(), "--for", "4s");
      assertThat(record.err()).isEmpty();
      assertThat(record.out()).contains(" of 2 jobs in " + trace).contains("the time is over");
      assertThat(Cli.run("policy", "--socket", socket, "fair").exitCode()).isZero();
      played = play.get();
      long written = written(played);
      Eventually.await("all that was written is in the history", () -> kept() >= written);
    }
    Cli again = Cli.run("record", "--socket", socket, "--out", trace.toString());
    assertThat(again.err()).as("the gateway is gone").contains("no gateway answers here");

    assertThat(kept()).isLessThan(2 * written(played) + 64_000_000);

    Cli report = Cli.run("report", "-c", file.toString(), "--since", "1h");
    assertThat(report.err()).isEmpty();
    assertThat(report.out())
        .contains("flood", "notebook")
        .containsSubsequence("What was changed", System.getProperty("user.name"), "policy fair");

    Cli whatIf = Cli.run("whatif", trace.toString(), "--quiet");
    assertThat(whatIf.err()).isEmpty();
    assertThat(whatIf.out())
        .contains("of 2 jobs, recorded under none", "none (was in force)", "adaptbf", "gift")
        .contains("would have served them best");
  }

  private static long written(PlayResult played) {
    return played.run().jobs().stream().mapToLong(job -> job.bytes()).sum();
  }

  /** How much was written, as the history has it. */
  private long kept() throws IOException {
    List<Sample> samples = new ArrayList<>();
    HistoryFiles files = new HistoryFiles(directory.resolve("state/history"));
    files.samples(Resolution.SECOND, 0, Long.MAX_VALUE, samples::add);
    long kept = 0;
    for (Sample sample : samples) {
      for (Sample.OfJob job : sample.targets().getFirst().jobs()) {
        kept += job.writtenBytes();
      }
    }
    return kept;
  }
}
