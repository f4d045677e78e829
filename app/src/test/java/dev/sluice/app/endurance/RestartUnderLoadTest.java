package dev.sluice.app.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.NfsCaller;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NfsVersion;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.EnduranceScale;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway that dies under load loses nothing it has promised to keep, and its clients go on. */
@Tag("untimed")
class RestartUnderLoadTest {
  private static final int KILLS = EnduranceScale.of(3, 100);
  private static final int WRITERS = 8;
  private static final long STEPS_BETWEEN_KILLS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private final List<VerifyingWriter> writers = new ArrayList<>();
  private final List<Future<?>> working = new ArrayList<>();

  /** Clients of version 4 also claim what they had open, and go on with that. */
  @ParameterizedTest
  @EnumSource
  void losesNothingItPromisedToKeepWhenKilledUnderLoad(NfsVersion version) throws Exception {
    SplittableRandom random = new SplittableRandom(4);
    Credential.Sys caller = NfsCaller.find();
    try (GatewayProcess gateway = new GatewayProcess(directory);
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      Handle root = gateway.mount(version, caller, "/export");
      List<NfsClient> clients = new ArrayList<>();
      try {
        for (int i = 0; i < WRITERS; i++) {
          NfsClient client = gateway.connect(version, caller);
          clients.add(client);
          writers.add(new VerifyingWriter(client, root, i, random.split()));
        }
        writers.forEach(writer -> working.add(threads.submit(writer)));
        awaitProgress();
        for (int i = 0; i < KILLS; i++) {
          GatewayProcess.pauseMillis(random.nextInt(300));
          gateway.killAndRestart();
          awaitProgress();
        }
        stopWriters();
        for (VerifyingWriter writer : writers) {
          writer.verifyAll();
        }
        assertThat(verifiers()).as("a new write verifier for each start").hasSize(KILLS + 1);
      } finally {
        writers.forEach(VerifyingWriter::stop);
        clients.forEach(NfsClient::close);
      }
    }
  }

  /** Waits until every writer has done something with the server that there is now. */
  private void awaitProgress() throws Exception {
    long deadlineNanos = System.nanoTime() + PATIENCE.toNanos();
    long[] goals =
        writers.stream().mapToLong(writer -> writer.steps() + STEPS_BETWEEN_KILLS).toArray();
    for (int i = 0; i < goals.length; i++) {
      while (writers.get(i).steps() < goals[i]) {
        if (working.get(i).isDone()) {
          working.get(i).get();
        }
        assertThat(System.nanoTime()).as("writer %s is stuck", i).isLessThan(deadlineNanos);
        GatewayProcess.pauseMillis(5);
      }
    }
  }

  private void stopWriters() throws Exception {
    writers.forEach(VerifyingWriter::stop);
    for (Future<?> future : working) {
      future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private Set<Long> verifiers() {
    Set<Long> all = new HashSet<>();
    writers.forEach(writer -> all.addAll(writer.verifiers()));
    return all;
  }
}
