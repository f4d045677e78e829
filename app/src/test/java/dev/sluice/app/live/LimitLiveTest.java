package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import dev.sluice.nfs.rpc.Credential;
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
        exports: {/scratch: {directory: data}}
        limits:
          - {name: readers, match: operation=read, rate: 1 MB/s}
          - {name: writers, match: job=4711 operation=write, rate: 10 ops/s}
          - {name: everybody, match: operation=write, rate: 1 GB/s}
        """);
    int self = (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    int uid = self == 0 ? 1_001 : self;
    try (Gateway gateway = Gateway.start(file);
        SynchronousJob _ =
            new SynchronousJob(gateway, "4711", new Credential.Sys("live", uid, uid), "/scratch")) {
      Eventually.await(
          "the limit is named",
          () ->
              Cli.run("explain", "4711", "-c", file.toString())
                  .out()
                  .contains("limit \"writers\" (10 ops/s) holds "));
      String told = Cli.run("explain", "4711", "-c", file.toString()).out();
      assertThat(told)
          .containsPattern("limit \"writers\" \\(10 ops/s\\) .* on disk")
          .contains("limits that match nothing it did: readers, everybody");
    }
  }
}
