package dev.sluice.web.server;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Ends connections to clients that do not take what is sent to them. A thread that is interrupted
 * while it writes to a channel closes the channel, so this needs no hold of the connection.
 */
final class WriteDeadlines implements AutoCloseable {
  private final long patienceNanos;
  private final ScheduledExecutorService watch;

  WriteDeadlines(long patienceNanos) {
    this.patienceNanos = patienceNanos;
    ThreadFactory threads = Thread.ofPlatform().name("web-deadlines").daemon().factory();
    this.watch = Executors.newSingleThreadScheduledExecutor(threads);
  }

  /** Something that writes to a client. */
  interface Write {
    void run() throws IOException;
  }

  /** Writes, for no longer than clients may take. */
  void within(Write write) throws IOException {
    Alarm alarm = new Alarm(Thread.currentThread());
    ScheduledFuture<?> set = watch.schedule(alarm::ring, patienceNanos, TimeUnit.NANOSECONDS);
    try {
      write.run();
    } finally {
      set.cancel(false);
      alarm.off();
    }
  }

  /** Interrupts a thread unless it is through; never afterwards. */
  private static final class Alarm {
    private final Thread writer;
    private boolean off;

    Alarm(Thread writer) {
      this.writer = writer;
    }

    synchronized void ring() {
      if (!off) {
        writer.interrupt();
      }
    }

    synchronized void off() {
      off = true;
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
