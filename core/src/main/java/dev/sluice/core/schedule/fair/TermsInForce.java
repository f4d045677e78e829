package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.TbfLimit;
import org.jspecify.annotations.Nullable;

/**
 * The reserves and limits of all jobs: who is due by reserve, and who is held back and until when.
 * A job that is held back does not compete, though it has something queued.
 */
final class TermsInForce {
  private final TokenUnit unit;
  private final ShareOrder order;
  private final Reserves reserves = new Reserves();

  /** Those that have something queued and are at their limits, by when they are no longer. */
  private final IndexedHeap<Limit> heldBack = new IndexedHeap<>();

  /** How many jobs have a reserve or a limit. */
  private int termed;

  TermsInForce(TokenUnit unit, ShareOrder order) {
    this.unit = unit;
    this.order = order;
  }

  /** Whether no job has a reserve or a limit. As long as none has, nobody need look for any. */
  boolean isEmpty() {
    return termed == 0;
  }

  /** Lets those compete again that are at their limits no longer. */
  void letGo(long nowNanos) {
    for (Limit limit = heldBack.peek();
        limit != null && heldBack.minKey() <= nowNanos;
        limit = heldBack.peek()) {
      review(limit.leaf, nowNanos);
    }
  }

  /** Who is to be served before anybody is by weight; null when nobody is. */
  @Nullable Leaf due(long nowNanos) {
    return reserves.first(nowNanos);
  }

  boolean isAnybodyHeldBack() {
    return !heldBack.isEmpty();
  }

  /** When somebody is due by reserve who is not yet, or is at its limit no longer. */
  long nextNanos() {
    return Math.min(heldBack.isEmpty() ? Long.MAX_VALUE : heldBack.minKey(), reserves.nextNanos());
  }

  /** A job has one more request queued. */
  void arrive(Leaf leaf, Terms terms, Request request, long nowNanos) {
    if (leaf.queue.size() == 1) {
      if (terms.reserve != null) {
        terms.reserve.comeBack(price(request), reserves.boundTokens(terms.reserve), nowNanos);
      }
      review(leaf, nowNanos);
    }
  }

  /**
   * A request of this price was taken from any job, which is to be charged for it now and then
   * {@linkplain #review reviewed} if it has terms.
   *
   * @return what the job is to owe at most by being served by reserve
   */
  long handsOut(Leaf leaf, long price, long nowNanos) {
    reserves.handsOut(price);
    Terms terms = leaf.terms;
    long mostTokens = 0;
    if (terms != null) {
      if (terms.reserve != null) {
        mostTokens = 2 * reserves.steadyTokens(terms.reserve);
        terms.reserve.take(price, reserves.boundTokens(terms.reserve), nowNanos);
      }
      if (terms.limit != null) {
        terms.limit.take(price, nowNanos);
      }
      leaf.heldBack = nanosUntilFree(leaf, nowNanos) > 0;
    }
    return mostTokens;
  }

  /** Corrects what was taken from a job's reserve and limit. */
  void correct(Leaf leaf, Terms terms, long priceDifference, long nowNanos) {
    if (terms.reserve != null) {
      terms.reserve.take(priceDifference, reserves.boundTokens(terms.reserve), nowNanos);
    }
    if (terms.limit != null) {
      terms.limit.correct(priceDifference, nowNanos);
    }
    review(leaf, nowNanos);
  }

  /**
   * Lets a job compete or not, by its limit and by what it has queued, and finds out when it is due
   * by reserve.
   */
  void review(Leaf leaf, long nowNanos) {
    long waitNanos = nanosUntilFree(leaf, nowNanos);
    leaf.heldBack = waitNanos > 0;
    if (leaf.isBacklogged()) {
      order.compete(leaf);
    } else if (leaf.isQueued()) {
      order.dismiss(leaf);
    }
    Terms terms = leaf.terms;
    Request head = leaf.queue.peek();
    if (terms != null && terms.limit != null) {
      if (terms.limit.isQueued()) {
        heldBack.remove(terms.limit);
      }
      if (leaf.heldBack && head != null) {
        heldBack.insert(terms.limit, later(nowNanos, waitNanos), head.sequence());
      }
    }
    if (terms != null && terms.reserve != null) {
      reserves.remove(terms.reserve);
      if (leaf.isBacklogged() && head != null) {
        reserves.place(terms.reserve, price(head), head.sequence(), nowNanos);
      }
    }
  }

  /** How long a job must wait because it is at its limit; 0 where it must not, or has nothing. */
  private long nanosUntilFree(Leaf leaf, long nowNanos) {
    Request head = leaf.queue.peek();
    Limit limit = leaf.terms == null ? null : leaf.terms.limit;
    return head == null || limit == null ? 0 : limit.nanosUntil(price(head), nowNanos);
  }

  /** So long after an instant; never where that is beyond all time. */
  static long later(long nanos, long byNanos) {
    return byNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + byNanos;
  }

  private long price(Request request) {
    return FairScheduler.price(unit, request);
  }

  /**
   * Gives a job the reserve and the limit of its place in the shares.
   *
   * @param index negative where it has none
   */
  void set(Leaf leaf, Shares shares, int index, long nowNanos) {
    boolean isLimited = index >= 0 && shares.isLimited(index);
    boolean isReserved = index >= 0 && shares.reservedParts(index) > 0;
    Terms terms = leaf.terms;
    if (terms == null) {
      if (!isLimited && !isReserved) {
        return;
      }
      terms = new Terms();
      leaf.terms = terms;
      termed++;
    }
    setLimit(leaf, terms, isLimited ? shares.rate(index) : null, nowNanos);
    setReserve(leaf, terms, isReserved ? shares.reserveRate(index) : null, nowNanos);
    if (terms.isEmpty()) {
      leaf.terms = null;
      termed--;
    }
    review(leaf, nowNanos);
  }

  private void setLimit(Leaf leaf, Terms terms, @Nullable Rate rate, long nowNanos) {
    Limit limit = terms.limit;
    if (rate == null) {
      if (limit != null && limit.isQueued()) {
        heldBack.remove(limit);
      }
      terms.limit = null;
    } else if (limit == null) {
      terms.limit = new Limit(leaf, rate, TbfLimit.of(unit, rate).depthTokens(), nowNanos);
    } else {
      limit.setRate(rate, nowNanos);
    }
  }

  private void setReserve(Leaf leaf, Terms terms, @Nullable Rate rate, long nowNanos) {
    Reserve reserve = terms.reserve;
    if (rate == null) {
      if (reserve != null) {
        reserves.remove(reserve);
      }
      terms.reserve = null;
    } else if (reserve == null) {
      terms.reserve = new Reserve(leaf, rate, nowNanos);
    } else {
      reserve.setRate(rate, reserves.boundTokens(reserve), nowNanos);
    }
  }

  void checkInvariants() {
    int withTerms = 0;
    int held = 0;
    reserves.checkInvariants();
    heldBack.checkInvariants();
    for (Share share : order.shares()) {
      if (share instanceof Leaf leaf) {
        withTerms += leaf.terms == null ? 0 : 1;
        held += leaf.heldBack ? 1 : 0;
        checkInvariants(leaf);
      }
    }
    if (withTerms != termed || held != heldBack.size()) {
      throw new IllegalStateException(
          withTerms
              + " jobs have a reserve or a limit and "
              + held
              + " are held back; the books say "
              + termed
              + " and "
              + heldBack.size());
    }
  }

  private void checkInvariants(Leaf leaf) {
    Limit limit = leaf.terms == null ? null : leaf.terms.limit;
    Reserve reserve = leaf.terms == null ? null : leaf.terms.reserve;
    if (leaf.heldBack != (limit != null && limit.isQueued())
        || (leaf.heldBack && leaf.queue.isEmpty())
        || (reserve != null && reserve.isQueued() != leaf.isQueued())) {
      throw new IllegalStateException(leaf + " is held back or due by mistake");
    }
    if (limit != null) {
      limit.checkInvariants();
    }
    if (reserve != null) {
      reserves.check(reserve);
    }
  }
}
