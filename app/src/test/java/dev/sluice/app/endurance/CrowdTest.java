package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.MountClient;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many connections and many jobs at full load leave somebody else's calls quick. */
class CrowdTest {
  private static final int CONNECTIONS = EnduranceScale.of(100, 1_000);
  private static final int JOBS = EnduranceScale.of(1_000, 10_000);
  private static final int PROBES = EnduranceScale.of(300, 1_000);
  private static final long PROBE_INTERVAL_MILLIS = 4;

  /** The gate runs beside whatever else the machine does. */
  private static final Duration P99_MAX = Duration.ofMillis(EnduranceScale.of(1_000, 50));

  private static final long RESIDENT_BYTES_MAX = 1L << 30;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void leavesBystanderQuickUnderFullLoad() throws Exception {
    try (GatewayProcess gateway = new GatewayProcess(directory, "-Xmx256m")) {
      Path file = Files.write(gateway.exported().resolve("file"), new byte[8 << 10]);
      Files.setAttribute(file, "unix:mode", 0_644);
      Credential.Sys caller = NfsCaller.find();
      List<byte[]> files = handles(gateway, caller);
      try (NfsClient bystander = gateway.connect(caller);
          Crowd crowd = new Crowd(gateway.nfsAddress(), CONNECTIONS, files, caller);
          ExecutorService thread = Executors.newSingleThreadExecutor()) {
        Handle root = gateway.mount(caller, "/@bystander/export");
        Future<?> calling = thread.submit(crowd);
        awaitAnswers(crowd, calling);
        long before = crowd.answers();
        long started = System.nanoTime();
        long[] latencies = probe(bystander, root);
        double seconds = (double) (System.nanoTime() - started) / 1e9;
        crowd.stop();
        calling.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        long p99 = latencies[latencies.length * 99 / 100];
        System.out.printf(
            Locale.ROOT,
            "%d connections, %d jobs: %.0f op/s, getattr of a bystander p50 %.2f ms, p99 %.2f ms,"
                + " %d MB resident%n",
            CONNECTIONS,
            JOBS,
            (double) (crowd.answers() - before) / seconds,
            (double) latencies[latencies.length / 2] / 1e6,
            (double) p99 / 1e6,
            gateway.residentBytes() >> 20);
        assertThat(crowd.answers() - before).as("load meanwhile").isGreaterThan(JOBS);
        assertThat(Duration.ofNanos(p99)).isLessThan(P99_MAX);
        assertThat(gateway.residentBytes()).isLessThan(RESIDENT_BYTES_MAX);
        assertThat(gateway.log()).doesNotContain("OutOfMemoryError");
      }
      assertThat(gateway.isAlive()).isTrue();
    }
  }

  /** The same file as each of the jobs sees it. */
  private static List<byte[]> handles(GatewayProcess gateway, Credential.Sys caller)
      throws Exception {
    List<CompletableFuture<Handle>> roots = new ArrayList<>();
    List<CompletableFuture<Handle>> files = new ArrayList<>();
    try (MountClient mounts = MountClient.connect(gateway.mountAddress(), caller, PATIENCE);
        NfsClient client = gateway.connect(caller)) {
      for (int job = 0; job < JOBS; job++) {
        roots.add(mounts.mount("/@" + job + "/export"));
      }
      for (CompletableFuture<Handle> root : roots) {
        files.add(client.lookup(root.get(PATIENCE.toSeconds(), TimeUnit.SECONDS), "file"));
      }
      List<byte[]> handles = new ArrayList<>();
      for (CompletableFuture<Handle> file : files) {
        handles.add(RawCall.bytes(file.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
      }
      return handles;
    }
  }

  /** Waits until every job has had its turn, so that the gateway knows them all. */
  private static void awaitAnswers(Crowd crowd, Future<?> calling) throws Exception {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    while (crowd.answers() < 2L * JOBS) {
      if (calling.isDone()) {
        calling.get();
      }
      assertThat(System.nanoTime()).as("the crowd is stuck").isLessThan(deadlineNanos);
      GatewayProcess.pauseMillis(5);
    }
  }

  /** The latencies of single calls with pauses between them, in order of size. */
  private static long[] probe(NfsClient client, Handle root) throws Exception {
    long[] latencies = new long[PROBES];
    for (int i = 0; i < PROBES; i++) {
      GatewayProcess.pauseMillis(PROBE_INTERVAL_MILLIS);
      long sent = System.nanoTime();
      client.attributes(root).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      latencies[i] = System.nanoTime() - sent;
    }
    Arrays.sort(latencies);
    return latencies;
  }
}
