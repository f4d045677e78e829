package dev.sluice.load.play;

import dev.sluice.load.client.Answers;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one process that have no answer yet, and the bound on them. One thread sends;
 * answers may come on any.
 */
final class Requests {
  private final int window;
  private final JobAccount account;
  private final PlayTime time;

  /** Guarded by this object's lock, like what went wrong first. */
  private int outstanding;

  private @Nullable IOException failure;

  Requests(int window, JobAccount account, PlayTime time) {
    this.window = window;
    this.account = account;
    this.time = time;
  }

  /** Sends a request when there is room in the window. */
  void send(Supplier<? extends CompletableFuture<Long>> request) throws IOException {
    awaitAtMost(window - 1);
    sendNow(request);
  }

  /**
   * Sends a request whatever else is outstanding.
   *
   * @param request answers how many bytes it moved
   */
  void sendNow(Supplier<? extends CompletableFuture<Long>> request) {
    synchronized (this) {
      outstanding++;
    }
    long sentNanos = time.nowNanos();
    account.asked(sentNanos);
    CompletableFuture<Long> _ =
        request
            .get()
            .whenComplete((bytes, wrong) -> {
              if (wrong == null) {
                account.completed(sentNanos, bytes, time.nowNanos());
              }
              answered(wrong);
            });
  }

  private synchronized void answered(@Nullable Throwable wrong) {
    outstanding--;
    if (wrong != null && failure == null) {
      failure = Answers.cause(wrong);
    }
    notifyAll();
  }

  /** Waits until all are answered. */
  void awaitAll() throws IOException {
    awaitAtMost(0);
  }

  private synchronized void awaitAtMost(int count) throws IOException {
    boolean interrupted = false;
    while (outstanding > count && failure == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
