package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import dev.sluice.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits on a real gateway, and what is said of them. */
@Timeout(180)
class LimitLiveTest {
  @TempDir private Path directory;

  /** Eight requests at a time, of which a bucket has tokens for three. */
  @Test
  void explainNamesTheLimitThatHoldsAJobBack() throws Exception {
    Path exported = Files.createDirectory(directory.resolve("data"));
    Files.setAttribute(exported, "unix:mode", 0_777);
    Path file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        trust-claimed-jobs: true
        targets: {disk: {capacity: 100 MB/s}}
        exports: {/scratch: {directory: data, privileged-ports: false}}
        limits:
          - {name: readers, match: operation=read, rate: 1 MB/s}
          - {name: writers, match: job=4711 operation=write, rate: 10 ops/s}
          - {name: everybody, match: operation=write, rate: 1 GB/s}
        """);
    try (Gateway gateway = Gateway.start(file);
        SynchronousJob _ = new SynchronousJob(gateway, "4711", "/scratch")) {
      Eventually.await(
          "the limit is named",
          () -> Cli.ask(file, "explain", "4711").contains("limit \"writers\" (10 ops/s) holds "));
      String told = Cli.ask(file, "explain", "4711");
      assertThat(told)
          .containsPattern("limit \"writers\" \\(10 ops/s\\) .* on disk")
          .contains("limits that match nothing it did: readers, everybody");
    }
  }
}
