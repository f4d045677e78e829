package dev.sluice.core.schedule.terms;

import dev.sluice.core.schedule.IndexedHeap;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is by reserve: of those whose next request has its reserved tokens, the one that
 * would soonest be behind by another such request. These are the reservation tags of mClock
 * (Gulati, Merchant and Varman, 2010) with deadlines a request later, so that many slow jobs that
 * are due at once do not delay a fast one.
 *
 * <p>Theorem. Where all reserves together are no more than the target does, and it is never left
 * idle, a request is handed out before its deadline and the time that the largest request of
 * anybody takes: earliest deadline first among sporadic tasks that cannot be interrupted. So a
 * level never reaches its bound.
 */
final class Reserves<J extends TermedJob<J>> {
  /** Of those that have something queued, whose tokens are not there: by when they are. */
  private final IndexedHeap<Reserve<J>> early = new IndexedHeap<>();

  /** Those whose tokens are there, by deadline. */
  private final IndexedHeap<Reserve<J>> due = new IndexedHeap<>();

  private long largestPrice = 1;

  /** A request of this price is handed out to anybody. */
  void handsOut(long price) {
    largestPrice = Math.max(largestPrice, price);
  }

  /** The job's first request has this price and this place in the order of arrival. */
  void place(Reserve<J> reserve, long price, long sequence, long nowNanos) {
    remove(reserve);
    early.insert(reserve, reserve.dueNanos(price, largestPrice, nowNanos), sequence);
  }

  void remove(Reserve<J> reserve) {
    if (reserve.isQueued()) {
      (reserve.due ? due : early).remove(reserve);
      reserve.due = false;
    }
  }

  /** Who is to be served before anybody is by weight; null when nobody is. */
  @Nullable J first(long nowNanos) {
    for (Reserve<J> next = early.peek();
        next != null && early.minKey() <= nowNanos;
        next = early.peek()) {
      long sequence = early.minTieBreak();
      early.remove(next);
      next.due = true;
      due.insert(next, next.deadlineNanos(), sequence);
    }
    Reserve<J> first = due.peek();
    return first == null ? null : first.job;
  }

  /** When somebody is due who is not yet. */
  long nextNanos() {
    return early.isEmpty() ? Long.MAX_VALUE : early.minKey();
  }

  /** How far a job is behind its reserve at most while the target serves all along. */
  long steadyTokens(Reserve<J> reserve) {
    return reserve.steadyTokens(largestPrice);
  }

  /** How far a job can be behind its reserve. */
  long boundTokens(Reserve<J> reserve) {
    return reserve.boundTokens(largestPrice);
  }

  void checkInvariants() {
    early.checkInvariants();
    due.checkInvariants();
    for (int i = 0; i < early.size() + due.size(); i++) {
      boolean isDue = i >= early.size();
      Reserve<J> reserve = isDue ? due.get(i - early.size()) : early.get(i);
      if (reserve.due != isDue || !reserve.job.isBacklogged()) {
        throw new IllegalStateException(reserve.job + " is to be served by reserve by mistake");
      }
    }
  }

  void check(Reserve<J> reserve) {
    reserve.checkInvariants(largestPrice);
  }
}
