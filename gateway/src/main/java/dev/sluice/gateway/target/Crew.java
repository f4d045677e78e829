package dev.sluice.gateway.target;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Which of a target's workers is awake, and who is woken for what. Not thread-safe: the target's
 * lock guards it.
 *
 * <p>A worker is awake, or sleeps in one of two ways. The <em>leader</em>, of which there is at
 * most one, sleeps until the instant at which the queue is worth asking again. The others are
 * <em>idle</em>, and sleep until they are called. Work that is handed out is called for at once: an
 * idle worker is called for it or, if there is none, the leader. If there is neither, all are awake
 * and look for work before they sleep; so nothing is ever left lying.
 */
final class Crew {
  /** Somebody who can be woken. */
  interface Sleeper {
    void wake();
  }

  /** No instant is worth waiting for. */
  static final long NEVER = Long.MAX_VALUE;

  /** Handed out by the queue, not yet with a worker. */
  private final ArrayDeque<TargetRequest> ready = new ArrayDeque<>();

  private final ArrayDeque<Sleeper> idle = new ArrayDeque<>();
  private @Nullable Sleeper leader;
  private long leaderUntilNanos;
  private long askAgainNanos = NEVER;

  /** Leaves a request that was handed out to a worker. */
  void give(TargetRequest request) {
    ready.addLast(request);
    if (!callIdle()) {
      callLeader();
    }
  }

  /** What was handed out first and lies ready; null when nothing does. */
  @Nullable TargetRequest take() {
    return ready.pollFirst();
  }

  /** The same without taking it. */
  @Nullable TargetRequest peek() {
    return ready.peekFirst();
  }

  /** The queue is worth asking again then, and not before; somebody must be there for it. */
  void askAgainAt(long nanos) {
    askAgainNanos = nanos;
    if (nanos == NEVER) {
      return;
    }
    if (leader == null) {
      callIdle();
    } else if (nanos - leaderUntilNanos < 0) {
      callLeader();
    }
  }

  /**
   * A worker found nothing to do.
   *
   * @return until when it sleeps if nobody calls it; {@link #NEVER} for as long as nobody does
   */
  long lieDown(Sleeper worker) {
    if (leader == null && askAgainNanos != NEVER) {
      leader = worker;
      leaderUntilNanos = askAgainNanos;
      return askAgainNanos;
    }
    idle.addLast(worker);
    return NEVER;
  }

  /** A worker is awake. One that was not called but has slept until its time leads no longer. */
  @SuppressWarnings("ReferenceEquality") // This very worker.
  void getUp(Sleeper worker) {
    if (leader == worker) {
      leader = null;
    }
  }

  /** The worker that asked the queue itself learnt this; nobody need be called for it. */
  void noteAskAgainAt(long nanos) {
    askAgainNanos = nanos;
  }

  /** When the queue is worth asking again. */
  long askAgainNanos() {
    return askAgainNanos;
  }

  void callAll() {
    boolean called = true;
    while (called) {
      called = callIdle();
    }
    callLeader();
  }

  private boolean callIdle() {
    Sleeper called = idle.pollLast();
    if (called == null) {
      return false;
    }
    called.wake();
    return true;
  }

  private void callLeader() {
    Sleeper called = leader;
    if (called != null) {
      leader = null;
      called.wake();
    }
  }
}
