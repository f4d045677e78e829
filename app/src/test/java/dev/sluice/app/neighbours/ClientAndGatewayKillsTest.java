package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.app.endurance.RawCall;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.EnduranceScale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients and gateway are killed under a load that is verified: nothing that was acknowledged is
 * lost, and no write of a dead client lands later.
 */
@Tag("untimed")
@Timeout(2_400)
class ClientAndGatewayKillsTest {
  private static final int KILLS = EnduranceScale.of(20, 1_000);

  /** One kill in so many is of the gateway, the others are of clients. */
  private static final int GATEWAY_EVERY = EnduranceScale.of(10, 5);

  private static final int WRITERS = 6;
  private static final int FIRST_UID = 1_101;
  private static final int THROTTLED_GROUP = 4_000;
  private static final int FREE_GROUP = 4_001;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Limited, so that writes wait in the gateway when their client dies. */
  private static final String CONFIGURATION =
      """
      memory: 256 MiB
      targets: {disk: {capacity: 100 MB/s}}
      exports: {/export: {directory: export, privileged-ports: false}}
      limits:
        - {name: doomed, match: group=4000, rate: 1 MB/s}
      """;

  @TempDir private Path directory;

  private final List<DoomedWriter> writers = new ArrayList<>();
  private final List<Future<?>> working = new ArrayList<>();

  @Test
  void nothingAcknowledgedIsLostAndNoDeadWriteLandsLater() throws Exception {
    assumeTrue(ThisUser.find().uid() == 0, "only root can serve several users");
    SplittableRandom random = new SplittableRandom(17);
    long beganNanos = System.nanoTime();
    int gatewayKills = 0;
    try (GatewayProcess gateway = new GatewayProcess(directory, CONFIGURATION, List.of());
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      for (int i = 0; i < WRITERS; i++) {
        Credential.Sys throttled = new Credential.Sys("node", FIRST_UID + i, THROTTLED_GROUP);
        Credential.Sys free = new Credential.Sys("node", FIRST_UID + i + WRITERS, FREE_GROUP);
        Handle root = gateway.mount(free, "/export");
        try (NfsClient client = gateway.connect(free)) {
          Handle file = Answers.await(client.create(root, "doomed-" + i, 0666));
          Answers.await(client.setMode(file, 0666));
          writers.add(
              new DoomedWriter(gateway, throttled, free, RawCall.bytes(file), random.split()));
        }
      }
      try {
        writers.forEach(writer -> working.add(threads.submit(writer)));
        awaitLives(1);
        for (int kill = 1; kill <= KILLS; kill++) {
          GatewayProcess.pauseMillis(random.nextInt(200));
          if (kill % GATEWAY_EVERY == 0) {
            int[] before = lives();
            gateway.killAndRestart();
            gatewayKills++;
            awaitLives(before);
          } else {
            writers.get(random.nextInt(WRITERS)).kill();
          }
        }
        writers.forEach(DoomedWriter::stop);
        for (Future<?> future : working) {
          future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
      } finally {
        writers.forEach(DoomedWriter::stop);
        for (DoomedWriter writer : writers) {
          writer.kill();
        }
      }
      verifyAll(gateway);
      System.out.printf(
          Locale.ROOT,
          "killed clients %d and the gateway %d times in %.0f s: all that was acknowledged is"
              + " there%n",
          KILLS - gatewayKills,
          gatewayKills,
          (System.nanoTime() - beganNanos) / 1e9);
      assertThat(gateway.isAlive()).isTrue();
    }
  }

  private int[] lives() {
    return writers.stream().mapToInt(DoomedWriter::lives).toArray();
  }

  private void awaitLives(int count) throws Exception {
    int[] before = new int[WRITERS];
    Arrays.fill(before, count - 1);
    awaitLives(before);
  }

  /** Waits until every writer has begun anew; fails with what one of them found. */
  private void awaitLives(int[] before) throws Exception {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    for (int i = 0; i < WRITERS; i++) {
      while (writers.get(i).lives() <= before[i]) {
        if (working.get(i).isDone()) {
          working.get(i).get();
        }
        assertThat(System.nanoTime()).as("writer %s is stuck", i).isLessThan(deadlineNanos);
        GatewayProcess.pauseMillis(5);
      }
    }
  }

  /** On the disk itself, twice: a dead write that lands later is found the second time. */
  private void verifyAll(GatewayProcess gateway) throws Exception {
    for (int turn = 0; turn < 2; turn++) {
      for (int i = 0; i < WRITERS; i++) {
        writers.get(i).verifyAll(Files.readAllBytes(gateway.exported().resolve("doomed-" + i)));
      }
      GatewayProcess.pauseMillis(1_000);
    }
  }
}
