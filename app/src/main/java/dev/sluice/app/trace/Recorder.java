package dev.sluice.app.trace;

import dev.sluice.command.CommandClient;
import dev.sluice.core.model.Rate;
import dev.sluice.history.trace.DemandCounters;
import dev.sluice.history.trace.Look;
import dev.sluice.history.trace.TraceWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks at a gateway ten times a second and writes down what its jobs did, once a second, until it
 * is told to stop, the time is over or the file is as large as it may be.
 */
final class Recorder {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int LOOKS_AT_ONCE = 10;

  private final CommandClient gateway;
  private final DemandCounters counters = new DemandCounters(Rate.TOKENS_PER_SECOND_MAX);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /**
   * What was recorded.
   *
   * @param endedBy why it ended, in words
   */
  record Outcome(long nanos, int jobs, long bytes, String endedBy) {}

  Recorder(CommandClient gateway) {
    this.gateway = gateway;
  }

  /** Comes to its end soon; may be called by any thread. */
  void stop() {
    stopped.countDown();
  }

  Outcome record(Path file, long nanosMax, long bytesMax)
      throws IOException, CommandClient.RefusedException, InterruptedException {
    counters.look(ask());
    Set<String> jobs = new HashSet<>();
    long nanos = 0;
    try (TraceWriter trace =
        TraceWriter.create(file, System.currentTimeMillis(), counters.policy())) {
      List<Look> looks = new ArrayList<>();
      long dueNanos = System.nanoTime();
      String endedBy = "";
      while (endedBy.isEmpty()) {
        dueNanos = Math.max(dueNanos + LOOK_NANOS, System.nanoTime());
        boolean told =
            stopped.await(Math.max(0, dueNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        Look look = counters.look(ask());
        if (look != null) {
          looks.add(look);
          look.rows().forEach(row -> jobs.add(row.job().id()));
          nanos = look.endNanos();
        }
        endedBy = endedBy(told, nanos >= nanosMax, trace.size() >= bytesMax);
        if (looks.size() >= LOOKS_AT_ONCE || !endedBy.isEmpty()) {
          trace.append(looks);
          looks.clear();
        }
      }
      return new Outcome(nanos, jobs.size(), trace.size(), endedBy);
    }
  }

  private static String endedBy(boolean told, boolean late, boolean large) {
    if (told) {
      return "it was told to stop";
    }
    if (late) {
      return "the time is over";
    }
    return large ? "the file is as large as it may be" : "";
  }

  private String ask() throws IOException, CommandClient.RefusedException {
    // A little further back than the last answer, because a request may be on its way into a count.
    long since = counters.lastNanos() - LOOK_NANOS;
    return gateway.ask("demand", json -> json.writeNumberProperty("since_ns", since));
  }
}
