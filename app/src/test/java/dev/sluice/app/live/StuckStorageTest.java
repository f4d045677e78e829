package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.Cli;
import dev.sluice.gateway.Gateway;
import dev.sluice.gateway.admin.HealthFinding;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file system that really hangs: every write to it waits until somebody thaws it. */
@Tag("untimed")
@Timeout(120)
class StuckStorageTest {
  @TempDir private Path directory;
  private boolean mounted;

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @BeforeEach
  void mount() throws Exception {
    Path image = directory.resolve("image");
    Path data = Files.createDirectory(directory.resolve("data"));
    mounted =
        run("truncate", "-s", "64M", image.toString())
            && run("mkfs.ext4", "-q", image.toString())
            && run("mount", "-o", "loop", image.toString(), data.toString());
    assumeTrue(mounted, "skipped: no root, or no file system can be mounted here");
    Files.setAttribute(data, "unix:mode", 0_777);
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", directory.resolve("data").toString())).isTrue();
    }
  }

  @Test
  void storageThatHangsMakesItSickUntilItAnswers() throws Exception {
    Path file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        """
        nfs-port: 0
        mount-port: 0
        state: state
        trust-claimed-jobs: true
        targets: {disk: {capacity: 20 MB/s}}
        exports: {/scratch: {directory: data}}
        """);
    Duration patience = Duration.ofSeconds(2);
    Path data = directory.resolve("data");
    try (Gateway gateway = Gateway.start(file);
        SynchronousJob _ = new SynchronousJob(gateway, "4711", "/scratch")) {
      Eventually.await(
          "the job is served", () -> !gateway.totals().targets().getFirst().jobs().isEmpty());
      assertThat(gateway.health(patience)).isEmpty();
      assertThat(run("fsfreeze", "-f", data.toString())).isTrue();
      try {
        Eventually.await(
            "the target is stuck",
            () ->
                gateway.health(patience).stream()
                    .anyMatch(found ->
                        found.kind() == HealthFinding.Kind.STUCK_TARGET
                            && found.about().equals("disk")));
        Cli asked = Cli.run("health", "-c", file.toString(), "--patience", "2s");
        assertThat(asked.exitCode()).isEqualTo(1);
        assertThat(asked.out()).startsWith("target disk: a request has been with the storage for");
        String page = gateway.dashboardAddress().orElseThrow();
        assertThat(Cli.run("health", "--url", page, "--patience", "2s").exitCode()).isEqualTo(1);
      } finally {
        assertThat(run("fsfreeze", "-u", data.toString())).isTrue();
      }
      Eventually.await("it is well again", () -> gateway.health(patience).isEmpty());
    }
  }
}
