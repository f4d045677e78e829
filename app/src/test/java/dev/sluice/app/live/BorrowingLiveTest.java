package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BorrowingLiveTest {
  private static final int[] MEGABYTES_PER_SECOND = {5, 1, 1, 1};
  private static final int SECONDS = 5;

  /**
   * A job desires 8 MB/s and asks for 5, 1, 1 and 1 of four targets. Its tokens are 2 MB/s on each:
   * it gets its rate by borrowing, and 5 MB/s without.
   */
  @Test
  void aJobWithUnevenDemandGetsItsRateByBorrowingAndNotWithout(@TempDir Path directory)
      throws Exception {
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      Future<Double> with =
          both.submit(() -> megabytesPerSecond(directory.resolve("with"), "<app, rate=8 MB/s>"));
      Future<Double> without =
          both.submit(() ->
              megabytesPerSecond(directory.resolve("without"), "<app, rate=8 MB/s, borrow=FALSE>"));
      assertThat(with.get()).as("MB/s with borrowing").isBetween(6.5, 8.8);
      assertThat(without.get()).as("MB/s without borrowing").isBetween(3.5, 6.2);
    }
  }

  private static double megabytesPerSecond(Path directory, String lines)
      throws IOException, InterruptedException, ExecutionException {
    Files.createDirectory(directory);
    String policy = "{name: sdqpro, lines: \"" + lines + "\"}";
    try (LiveGateway live = LiveGateway.start(directory, 4, "50 MB/s", policy);
        ExecutorService clients = Executors.newFixedThreadPool(4)) {
      List<Callable<Long>> plays = new ArrayList<>();
      for (int i = 0; i < MEGABYTES_PER_SECOND.length; i++) {
        String export = "/t" + (i + 1);
        String scenario = scenario(MEGABYTES_PER_SECOND[i]);
        plays.add(() -> live.play(export, scenario).run().jobs().getFirst().bytes());
      }
      double bytes = 0;
      for (Future<Long> played : clients.invokeAll(plays)) {
        bytes += (double) played.get();
      }
      return bytes / 1e6 / SECONDS;
    }
  }

  private static String scenario(int megabytesPerSecond) {
    return "end: "
        + SECONDS
        + " s\ntargets: {t: {bandwidth: 50 MB/s}}\njobs:\n  app: {processes: {open-loop: {rate: "
        + megabytesPerSecond
        + " MB/s, request: 50 kB, spacing: regular}}}\n";
  }
}
