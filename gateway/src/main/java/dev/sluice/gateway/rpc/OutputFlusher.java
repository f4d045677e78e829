package dev.sluice.gateway.rpc;

import dev.sluice.gateway.net.Poller;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One thread that waits, for all connections whose output is blocked, until there is room again. A
 * client that takes nothing for too long is given up.
 */
final class OutputFlusher implements AutoCloseable {
  private static final Logger LOG = System.getLogger(OutputFlusher.class.getName());
  private static final int LOOK_EVERY_MILLIS = 500;
  private static final int NOTHING_TO_LOOK_AT = -1;

  private final Poller poller;
  private final long stallNanosMax;
  private final Thread thread = new Thread(this::run, "rpc-flusher");
  private final Queue<OutputQueue> arrived = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  OutputFlusher(long stallNanosMax) throws IOException {
    this.stallNanosMax = stallNanosMax;
    poller = new Poller();
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits for this one from now on. */
  void watch(OutputQueue output) {
    arrived.add(output);
    poller.wakeUp();
  }

  private void run() {
    List<OutputQueue> watched = new ArrayList<>();
    try (poller) {
      while (!closed) {
        for (OutputQueue output = arrived.poll(); output != null; output = arrived.poll()) {
          watched.add(output);
        }
        poller.clear();
        for (OutputQueue output : watched) {
          poller.addForSending(output.socket());
        }
        poller.await(watched.isEmpty() ? NOTHING_TO_LOOK_AT : LOOK_EVERY_MILLIS);
        resumeReady(watched);
        watched.removeIf(output -> !output.isStillWatched());
      }
    } catch (IOException e) {
      LOG.log(Level.ERROR, "replies that clients do not take at once are stuck", e);
    }
  }

  private void resumeReady(List<OutputQueue> watched) {
    long now = System.nanoTime();
    for (int i = 0; i < watched.size(); i++) {
      OutputQueue output = watched.get(i);
      if (poller.isReady(i)) {
        output.resume();
      } else if (output.stalledNanos(now) > stallNanosMax) {
        output.socket().shutdown();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    poller.wakeUp();
  }
}
