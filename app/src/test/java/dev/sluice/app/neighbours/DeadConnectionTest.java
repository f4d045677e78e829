package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.app.endurance.RawCall;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.play.Contents;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a connection asked for ends with it: nothing of it is done when it is gone. */
@Tag("untimed")
@Timeout(180)
class DeadConnectionTest {
  private static final Credential.Sys THROTTLED = new Credential.Sys("node", 1_001, 1_001);
  private static final Credential.Sys OTHER = new Credential.Sys("node", 1_002, 1_002);
  private static final String HERE = "127.0.0.1";
  private static final int WRITES = 20;
  private static final int WRITE_BYTES = 512 << 10;

  /** At which the dead client's writes would take 10.5 s. */
  private static final int SLOW = 1;

  /** At which they would take 5.3 s, longer than it takes to write what comes after them. */
  private static final int QUICKER = 2;

  /** Longer than all of the dead client's writes would take at the quicker rate. */
  private static final Duration AFTERLIFE = Duration.ofSeconds(7);

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static String configuration(int megabytesPerSecond) {
    return """
    memory: 256 MiB
    targets: {disk: {capacity: 500 MB/s}}
    exports: {/export: {directory: export, privileged-ports: false}}
    limits:
      - {name: throttled, match: user=1001, rate: %d MB/s}
    """
        .formatted(megabytesPerSecond);
  }

  @TempDir private Path directory;

  @BeforeEach
  void needsRoot() throws IOException {
    assumeTrue(ThisUser.find().uid() == 0, "only root can serve several users");
  }

  @Test
  void writesOfDeadClientNeverLandOnWhatCameAfterIt() throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, configuration(QUICKER), List.of());
        NfsClient other = gateway.connect(OTHER)) {
      Handle root = gateway.mount(OTHER, "/export");
      Handle file = Answers.await(other.create(root, "file", 0666));
      Answers.await(other.setMode(file, 0666));
      queueWritesAndReset(gateway, file);

      Answers.await(other.setSize(file, 0));
      byte[] expected = new byte[WRITES * WRITE_BYTES];
      Arrays.fill(expected, (byte) 'B');
      try (RawClient writer = RawClient.connect(gateway.nfsAddress(), HERE)) {
        for (int i = 0; i < WRITES; i++) {
          byte[] data = new byte[WRITE_BYTES];
          Arrays.fill(data, (byte) 'B');
          long offset = (long) i * WRITE_BYTES;
          writer.write(i, OTHER, RawCall.bytes(file), offset, data, StableHow.FILE_SYNC);
          assertThat(writer.replyTo(i, PATIENCE).status()).isZero();
        }
      }
      // That nothing happens can only be seen by looking for as long as it could.
      Path path = gateway.exported().resolve("file");
      long endNanos = System.nanoTime() + AFTERLIFE.toNanos();
      while (System.nanoTime() < endNanos) {
        assertThat(Arrays.mismatch(Files.readAllBytes(path), expected))
            .as("the first byte that is the dead client's")
            .isEqualTo(-1);
        GatewayProcess.pauseMillis(500);
      }
    }
  }

  @Test
  void restartedJobDoesNotWaitBehindItsDeadPredecessor() throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, configuration(SLOW), List.of());
        NfsClient restarted = gateway.connect(THROTTLED)) {
      Handle root = gateway.mount(THROTTLED, "/export");
      Handle file = Answers.await(restarted.create(root, "file", 0666));
      queueWritesAndReset(gateway, file);
      long beganNanos = System.nanoTime();
      Answers.await(
          restarted.write(file, 0, new Contents(1).piece(0, 64 << 10), StableHow.UNSTABLE));
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      System.out.printf(
          Locale.ROOT, "the restarted job's first write is answered after %.2f s%n", seconds);
      // The dead one's writes take ten seconds at this rate.
      assertThat(seconds).isLessThan(5);
    }
  }

  /** Has many writes of the throttled user wait in the gateway, and goes without a farewell. */
  private static void queueWritesAndReset(GatewayProcess gateway, Handle file) throws IOException {
    RawClient doomed = RawClient.connect(gateway.nfsAddress(), HERE);
    byte[] data = new byte[WRITE_BYTES];
    Arrays.fill(data, (byte) 'A');
    for (int i = 0; i < WRITES; i++) {
      long offset = (long) i * WRITE_BYTES;
      doomed.write(100 + i, THROTTLED, RawCall.bytes(file), offset, data, StableHow.UNSTABLE);
    }
    // When this is answered, all before it was taken in.
    doomed.getAttributes(999, OTHER, RawCall.bytes(file));
    assertThat(doomed.replyTo(999, PATIENCE).status()).isZero();
    doomed.reset();
  }
}
