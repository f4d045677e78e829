package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.endurance.EnduranceScale;
import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.ClientTimes;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NodeConnection;
import dev.sluice.load.client.Payload;
import dev.sluice.load.play.Contents;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users who share a node's one connection do not wait in each other's queues. */
@Timeout(300)
class SharedConnectionTest {
  private static final int THROTTLED = 1_001;
  private static final int FIRST_PROBING = 1_004;
  private static final int LAST_PROBING = 1_010;
  private static final int QUEUED_WRITES = 4_000;
  private static final int SMALL_BYTES = 64 << 10;
  private static final int LARGE_BYTES = 1 << 20;

  /** What a bucket may have saved up before the window, as three large requests. */
  private static final double BUCKET_BYTES = 3 << 20;

  private static final double LIMIT_BYTES_PER_SECOND = 1e6;
  private static final double CAPACITY_BYTES_PER_SECOND = 20e6;
  private static final long SETTLING_MILLIS = 6_000;
  private static final int SECONDS = EnduranceScale.of(20, 60);
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final String CONFIGURATION =
      """
      memory: 256 MiB
      policy: fair
      targets: {disk: {capacity: 20 MB/s}}
      exports: {/export: {directory: export, privileged-ports: false}}
      limits:
        - {name: throttled, match: user=1001, rate: 1 MB/s}
      """;

  @TempDir private Path directory;

  /** Somebody who writes all the time. */
  private record Writer(NfsClient client, Handle file, int bytes, AtomicLong written) {
    static Writer of(NfsClient client, Handle root, String name, int bytes) throws IOException {
      return new Writer(
          client, Answers.await(client.create(root, name, 0644)), bytes, new AtomicLong());
    }

    CompletableFuture<NfsClient.Written> write(int number) {
      Payload data = new Contents(1).piece(0, bytes);
      return client
          .write(file, (long) (number % 64) * bytes, data, StableHow.UNSTABLE)
          .whenComplete((answer, _) -> {
            if (answer != null) {
              written.addAndGet(answer.count());
            }
          });
    }

    /** Writes with so many calls under way until told to stop. */
    void writeUntil(AtomicBoolean stopped) {
      for (int i = 0; i < 4; i++) {
        int lane = i;
        Thread.startVirtualThread(() -> {
          for (int number = lane; !stopped.get(); number += 4) {
            try {
              Answers.await(write(number));
            } catch (IOException e) {
              return; // The test is over, or will find that nothing was written.
            }
          }
        });
      }
    }
  }

  @BeforeEach
  void needsRoot() throws IOException {
    assumeTrue(ThisUser.find().uid() == 0, "only root can serve several users");
  }

  private static Credential.Sys user(int uid) {
    return new Credential.Sys("node", uid, uid);
  }

  @Test
  void oneThrottledUserDelaysNobodyOnTheSameConnection() throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, CONFIGURATION, List.of());
        NodeConnection node = open(gateway);
        NodeConnection apart = open(gateway)) {
      Handle root = gateway.mount(user(THROTTLED), "/export");
      AtomicBoolean stopped = new AtomicBoolean();
      Writer throttled = Writer.of(node.as(user(THROTTLED)), root, "throttled", SMALL_BYTES);
      List<Writer> writers =
          List.of(
              Writer.of(node.as(user(1_002)), root, "second", LARGE_BYTES),
              Writer.of(node.as(user(1_003)), root, "third", LARGE_BYTES));
      Thread hog =
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < QUEUED_WRITES; i++) {
              CompletableFuture<NfsClient.Written> _ = throttled.write(i);
            }
          });
      writers.forEach(writer -> writer.writeUntil(stopped));
      GatewayProcess.pauseMillis(SETTLING_MILLIS);

      long throttledBefore = throttled.written.get();
      long[] writersBefore = writers.stream().mapToLong(writer -> writer.written.get()).toArray();
      long beganNanos = System.nanoTime();
      Probes probes = probe(node, apart, root);
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      double part = (throttled.written.get() - throttledBefore) / seconds / LIMIT_BYTES_PER_SECOND;
      double share = (CAPACITY_BYTES_PER_SECOND - LIMIT_BYTES_PER_SECOND) / writers.size();
      double[] shares = new double[writers.size()];
      for (int i = 0; i < shares.length; i++) {
        shares[i] = (writers.get(i).written.get() - writersBefore[i]) / seconds / share;
      }
      stopped.set(true);
      System.out.printf(
          Locale.ROOT,
          "ten users on one connection for %.0f s: GETATTR %s; on a connection of its own %s:"
              + " %.1fx; the throttled one has %.1f %% of its limit, the writers %.0f %% and %.0f"
              + " %% of their shares; told to come later: %d%n",
          seconds,
          probes.shared,
          probes.own,
          probes.shared.p99Millis() / probes.own.p99Millis(),
          100 * part,
          100 * shares[0],
          100 * shares[1],
          node.toldToComeLater());
      assertThat(probes.shared.p99Millis())
          .as("GETATTR beside the throttled user")
          .isLessThanOrEqualTo(
              EnduranceScale.FULL
                  ? 3 * probes.own.p99Millis()
                  : Math.max(100, 5 * probes.own.p99Millis()));
      assertThat(part)
          .as("part of its limit that the throttled user gets")
          .isBetween(
              EnduranceScale.FULL ? 0.97 : 0.90,
              1 + BUCKET_BYTES / (LIMIT_BYTES_PER_SECOND * seconds));
      for (double has : shares) {
        assertThat(has)
            .as("part of their shares that the writers get")
            .isGreaterThan(EnduranceScale.FULL ? 0.90 : 0.60);
      }
      hog.interrupt();
    }
  }

  private record Probes(Measured shared, Measured own) {}

  /** On the shared connection and on another one, by all the users who do nothing else. */
  private static Probes probe(NodeConnection shared, NodeConnection apart, Handle root)
      throws Exception {
    int count = SECONDS * 50;
    long[] ours = new long[count];
    long[] theirs = new long[count];
    long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    int done = 0;
    while (done < count && System.nanoTime() < endNanos) {
      int uid = FIRST_PROBING + done % (LAST_PROBING - FIRST_PROBING + 1);
      // Who asks right after another finds the target ready, so they take turns in who is first.
      if (done % 2 == 0) {
        ours[done] = Measured.getAttributesNanos(shared.as(user(uid)), root);
        theirs[done] = Measured.getAttributesNanos(apart.as(user(uid)), root);
      } else {
        theirs[done] = Measured.getAttributesNanos(apart.as(user(uid)), root);
        ours[done] = Measured.getAttributesNanos(shared.as(user(uid)), root);
      }
      done++;
      GatewayProcess.pauseMillis(15);
    }
    return new Probes(
        Measured.of(Arrays.copyOf(ours, done)), Measured.of(Arrays.copyOf(theirs, done)));
  }

  /** The storage is made slow by holding up the system call that a commit makes. */
  @Test
  void oneSlowCallDelaysNobodyOnTheSameConnection() throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, CONFIGURATION, List.of());
        NodeConnection node = open(gateway)) {
      Handle root = gateway.mount(user(1_002), "/export");
      NfsClient slow = node.as(user(1_002));
      NfsClient other = node.as(user(1_004));
      Handle file = Answers.await(slow.create(root, "slow", 0644));
      Measured.getAttributesNanos(other, root);
      try (SlowCalls calls =
          SlowCalls.on(gateway.pid(), "fsync,fdatasync,sync_file_range", 1_500)) {
        assumeTrue(calls.work(), "strace cannot hold up system calls here");
        Answers.await(
            slow.write(file, 0, new Contents(1).piece(0, SMALL_BYTES), StableHow.UNSTABLE));
        long beganNanos = System.nanoTime();
        CompletableFuture<Long> commit = slow.commit(file);
        long worstNanos = 0;
        int probes = 0;
        while (!commit.isDone()) {
          worstNanos = Math.max(worstNanos, Measured.getAttributesNanos(other, root));
          probes++;
          GatewayProcess.pauseMillis(5);
        }
        double commitMillis = (System.nanoTime() - beganNanos) / 1e6;
        System.out.printf(
            Locale.ROOT,
            "beside a COMMIT of %.0f ms a GETATTR on its connection takes at most %.1f ms (of"
                + " %d)%n",
            commitMillis,
            worstNanos / 1e6,
            probes);
        assumeTrue(commitMillis > 1_400, "the commit was not slow");
        assertThat(worstNanos / 1e6).as("GETATTR beside a slow COMMIT").isLessThan(700);
      }
    }
  }

  private static NodeConnection open(GatewayProcess gateway) throws IOException {
    return NodeConnection.open(gateway.nfsAddress(), 1, ClientTimes.asLinux(PATIENCE));
  }
}
