package dev.sluice.control.leader;

import dev.sluice.access.Audit;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notes down when a controller begins to lead and when it ceases to. Whoever asks does not wait for
 * the disk.
 */
public final class AuditedLeadership implements Leadership, AutoCloseable {
  /** More changes than these are waiting only while the disk does not answer. */
  private static final int WAITING_MAX = 1_000;

  private static final long PATIENCE_SECONDS = 5;

  private final Leadership leadership;
  private final Audit audit;
  private final String who;
  private final ThreadPoolExecutor writing;
  private Standing before = new Standing.Follows("");

  /**
   * Asks another, and notes down what is new.
   *
   * @param who this controller
   */
  public AuditedLeadership(Leadership leadership, Audit audit, String who) {
    this.leadership = leadership;
    this.audit = audit;
    this.who = who;
    this.writing =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().name("audit").daemon().factory(),
            new ThreadPoolExecutor.DiscardOldestPolicy());
  }

  @Override
  public Standing standing(long nowNanos) {
    Standing now = leadership.standing(nowNanos);
    note(now);
    return now;
  }

  @Override
  public void outdo(long epoch) {
    leadership.outdo(epoch);
  }

  @Override
  public @Nullable String notice() {
    return leadership.notice();
  }

  /** Why it does not lead may change from look to look, and is no news by itself. */
  private synchronized void note(Standing now) {
    boolean same =
        now instanceof Standing.Follows ? before instanceof Standing.Follows : now.equals(before);
    before = now;
    if (!same && !writing.isShutdown()) {
      String what =
          switch (now) {
            case Standing.Leads leads -> "leads, in epoch " + leads.epoch();
            case Standing.Follows(String reason) -> "leads no more: " + reason;
          };
      writing.execute(() -> audit.note(who, "leader", what));
    }
  }

  /** Writes what is left. */
  @Override
  public void close() {
    writing.shutdown();
    try {
      boolean _ = writing.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
