package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.NfsCaller;
import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.play.Contents;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.EnduranceScale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers whom no export lets in do nothing to those whom one does. */
@Timeout(900)
class StrangersTest {
  /** In the long version as many as one process may have open here. */
  private static final int CONNECTIONS = EnduranceScale.of(2_000, 20_000);

  private static final int MARKS = EnduranceScale.of(20_000, 1_000_000);
  private static final int DRIPS = EnduranceScale.of(20, 400);
  private static final int RESETS = EnduranceScale.of(2_000, 50_000);
  private static final double P99_MILLIS_MAX = EnduranceScale.FULL ? 50 : 500;
  private static final double SECONDS_MAX = EnduranceScale.FULL ? 2 : 5;
  private static final long RESIDENT_BYTES_MAX = 1L << 30;
  private static final int PROBES_MAX = 1_000_000;

  private static final String CONFIGURATION =
      """
      memory: 128 MiB
      targets: {disk: {capacity: auto}}
      exports: {/export: {directory: export, clients: [127.0.0.1], privileged-ports: false}}
      """;

  @TempDir private Path directory;

  /** What strangers do. */
  private interface Attack {
    void on(Strangers strangers) throws IOException;
  }

  @Test
  void connectionsThatSayNothing() throws Exception {
    attack("idle connections", strangers -> strangers.hold(CONNECTIONS));
  }

  @Test
  void recordMarksWithoutRecords() throws Exception {
    attack(
        "record marks",
        strangers -> {
          strangers.hold(1_100);
          while (strangers.marks() < MARKS) {
            // Where one was turned away, the next mark goes out on a connection of its own.
            strangers.sendMarks(1_100);
          }
        });
  }

  @Test
  void headersThatComeByteByByte() throws Exception {
    attack(
        "slow headers",
        strangers -> {
          strangers.hold(1_100);
          for (int i = 0; i < DRIPS; i++) {
            strangers.drip(1_100);
            GatewayProcess.pauseMillis(50);
          }
        });
  }

  @Test
  void resetsOneAfterTheOther() throws Exception {
    attack("a storm of resets", strangers -> strangers.storm(RESETS));
  }

  /** An admitted client goes on as if nothing were, on its old connection and on new ones. */
  private void attack(String what, Attack attack) throws Exception {
    Credential.Sys caller = NfsCaller.find();
    try (GatewayProcess gateway =
            new GatewayProcess(directory, CONFIGURATION, List.of("-Xmx256m"));
        NfsClient admitted = gateway.connect(caller);
        Strangers strangers = new Strangers(gateway.nfsAddress())) {
      Handle root = gateway.mount(caller, "/export");
      Handle file = Answers.await(admitted.create(root, "file", 0644));
      AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
      AtomicBoolean over = new AtomicBoolean();
      Thread attacking =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  attack.on(strangers);
                } catch (IOException | RuntimeException e) {
                  wrong.set(e);
                } finally {
                  over.set(true);
                }
              });
      long[] latencies = new long[PROBES_MAX];
      int probes = 0;
      double worstWriteSeconds = 0;
      double worstConnectSeconds = 0;
      // At least once more after the last of them came.
      for (int left = 50; left > 0 && probes < PROBES_MAX; left -= over.get() ? 1 : 0) {
        latencies[probes++] = Measured.getAttributesNanos(admitted, root);
        if (probes % 50 == 0) {
          long beganNanos = System.nanoTime();
          admitted
              .write(file, 0, new Contents(1).piece(0, 1 << 20), StableHow.UNSTABLE)
              .get(90, TimeUnit.SECONDS);
          worstWriteSeconds = Math.max(worstWriteSeconds, (System.nanoTime() - beganNanos) / 1e9);
          beganNanos = System.nanoTime();
          try (NfsClient fresh = gateway.connect(caller)) {
            fresh.attributes(root).get(90, TimeUnit.SECONDS);
          }
          worstConnectSeconds =
              Math.max(worstConnectSeconds, (System.nanoTime() - beganNanos) / 1e9);
        }
        GatewayProcess.pauseMillis(5);
      }
      attacking.join();
      assertThat(wrong.get()).isNull();
      Measured measured = Measured.of(Arrays.copyOf(latencies, probes));
      System.out.printf(
          Locale.ROOT,
          "%s (%s): GETATTR of an admitted client %s; 1 MiB WRITE at most %.2f s, first call on a"
              + " new connection at most %.2f s; gateway %d MB resident%n",
          what,
          strangers,
          measured,
          worstWriteSeconds,
          worstConnectSeconds,
          gateway.residentBytes() >> 20);
      assertThat(measured.p99Millis()).as("GETATTR").isLessThanOrEqualTo(P99_MILLIS_MAX);
      assertThat(worstWriteSeconds).as("1 MiB WRITE").isLessThan(SECONDS_MAX);
      assertThat(worstConnectSeconds).as("new connections").isLessThan(SECONDS_MAX);
      assertThat(gateway.residentBytes()).isLessThan(RESIDENT_BYTES_MAX);
      assertThat(gateway.isAlive()).isTrue();
      assertThat(gateway.log()).doesNotContain("OutOfMemoryError");
    }
  }
}
