package dev.sluice.core.schedule.terms;

import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.TbfLimit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The reserves and limits of all jobs: who is due by reserve, and who is held back and until when.
 * A job that is held back does not compete, though it has something queued.
 *
 * <p>A scheduler lets those that are at their limits no longer {@linkplain #letGo go}, serves who
 * is {@linkplain #due due} before anybody else, tells what it {@linkplain #handsOut hands out} and
 * has a job with terms {@linkplain #review reviewed} after that. Then, whatever its own order:
 *
 * <p>Theorem. Over {@code w} nanoseconds in which a job with a reserve has something queued
 * throughout, it is served at least {@code reserve × w - 2p - q}, with its own largest request p
 * and the largest of anybody q; as long as the target does at least what all reserves add up to.
 * Over any {@code w} a job with a limit is served at most {@code limit × w + max(depth, p)}, with
 * the depth of a {@link TbfLimit}; corrections aside. Where a job is at its limit its reserve waits
 * too: a limit is never less.
 *
 * @param <J> what the scheduler keeps of a job
 */
public final class TermsInForce<J extends TermedJob<J>> {
  /** No price is larger: a terabyte at a token a byte. */
  public static final long PRICE_MAX = 1L << 40;

  private final TokenUnit unit;
  private final ToLongFunction<Request> price;
  private final Competition<J> order;
  private final Reserves<J> reserves = new Reserves<>();

  /** Those that have something queued and are at their limits, by when they are no longer. */
  private final IndexedHeap<Limit<J>> heldBack = new IndexedHeap<>();

  /** How many jobs have a reserve or a limit. */
  private int termed;

  /**
   * @param price what a request counts with
   * @param order where jobs compete
   */
  public TermsInForce(TokenUnit unit, ToLongFunction<Request> price, Competition<J> order) {
    this.unit = unit;
    this.price = price;
    this.order = order;
  }

  /** Whether no job has a reserve or a limit. As long as none has, nobody need look for any. */
  public boolean isEmpty() {
    return termed == 0;
  }

  /** Lets those compete again that are at their limits no longer. */
  public void letGo(long nowNanos) {
    for (Limit<J> limit = heldBack.peek();
        limit != null && heldBack.minKey() <= nowNanos;
        limit = heldBack.peek()) {
      review(limit.job, nowNanos);
    }
  }

  /** Who is to be served before anybody is by weight; null when nobody is. */
  public @Nullable J due(long nowNanos) {
    return reserves.first(nowNanos);
  }

  public boolean isAnybodyHeldBack() {
    return !heldBack.isEmpty();
  }

  /** When somebody is due by reserve who is not yet, or is at its limit no longer. */
  public long nextNanos() {
    return Math.min(heldBack.isEmpty() ? Long.MAX_VALUE : heldBack.minKey(), reserves.nextNanos());
  }

  /** A job has one more request queued. */
  public void arrive(J job, Terms<J> terms, Request request, long nowNanos) {
    if (job.queue().size() == 1) {
      if (terms.reserve != null) {
        terms.reserve.comeBack(price(request), reserves.boundTokens(terms.reserve), nowNanos);
      }
      review(job, nowNanos);
    }
  }

  /**
   * A request of this price was taken from any job, which is to be charged for it now and then
   * {@linkplain #review reviewed} if it has terms.
   *
   * @return what the job is to owe at most by being served by reserve
   */
  public long handsOut(J job, long price, long nowNanos) {
    reserves.handsOut(price);
    Terms<J> terms = job.terms();
    long mostTokens = 0;
    if (terms != null) {
      if (terms.reserve != null) {
        mostTokens = 2 * reserves.steadyTokens(terms.reserve);
        terms.reserve.take(price, reserves.boundTokens(terms.reserve), nowNanos);
      }
      if (terms.limit != null) {
        terms.limit.take(price, nowNanos);
      }
      terms.heldBack = nanosUntilFree(job, terms, nowNanos) > 0;
    }
    return mostTokens;
  }

  /** Corrects what was taken from a job's reserve and limit. */
  public void correct(J job, Terms<J> terms, long priceDifference, long nowNanos) {
    if (terms.reserve != null) {
      terms.reserve.take(priceDifference, reserves.boundTokens(terms.reserve), nowNanos);
    }
    if (terms.limit != null) {
      terms.limit.correct(priceDifference, nowNanos);
    }
    review(job, nowNanos);
  }

  /**
   * Lets a job compete or not, by its limit and by what it has queued, and finds out when it is due
   * by reserve.
   */
  public void review(J job, long nowNanos) {
    Terms<J> terms = job.terms();
    long waitNanos = terms == null ? 0 : nanosUntilFree(job, terms, nowNanos);
    if (terms != null) {
      terms.heldBack = waitNanos > 0;
    }
    if (job.isBacklogged()) {
      order.compete(job);
    } else if (order.isCompeting(job)) {
      order.dismiss(job);
    }
    Request head = job.queue().peek();
    if (terms != null && terms.limit != null) {
      if (terms.limit.isQueued()) {
        heldBack.remove(terms.limit);
      }
      if (terms.heldBack && head != null) {
        heldBack.insert(terms.limit, later(nowNanos, waitNanos), head.sequence());
      }
    }
    if (terms != null && terms.reserve != null) {
      reserves.remove(terms.reserve);
      if (job.isBacklogged() && head != null) {
        reserves.place(terms.reserve, price(head), head.sequence(), nowNanos);
      }
    }
  }

  /** How long a job must wait because it is at its limit; 0 where it must not, or has nothing. */
  private long nanosUntilFree(J job, Terms<J> terms, long nowNanos) {
    Request head = job.queue().peek();
    return head == null ? 0 : terms.nanosUntilFree(price(head), nowNanos);
  }

  /** So long after an instant; never where that is beyond all time. */
  static long later(long nanos, long byNanos) {
    return byNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + byNanos;
  }

  private long price(Request request) {
    return price.applyAsLong(request);
  }

  /**
   * Gives a job the reserve and the limit of its place in the shares.
   *
   * @param index negative where it has none
   */
  public void set(J job, Shares shares, int index, long nowNanos) {
    boolean isLimited = index >= 0 && shares.isLimited(index);
    boolean isReserved = index >= 0 && shares.reservedParts(index) > 0;
    Terms<J> terms = job.terms();
    if (terms == null) {
      if (!isLimited && !isReserved) {
        return;
      }
      terms = new Terms<>();
      job.setTerms(terms);
      termed++;
    }
    setLimit(job, terms, isLimited ? shares.rate(index) : null, nowNanos);
    setReserve(job, terms, isReserved ? shares.reserveRate(index) : null, nowNanos);
    if (terms.isEmpty()) {
      job.setTerms(null);
      termed--;
    }
    review(job, nowNanos);
  }

  private void setLimit(J job, Terms<J> terms, @Nullable Rate rate, long nowNanos) {
    Limit<J> limit = terms.limit;
    if (rate == null) {
      if (limit != null && limit.isQueued()) {
        heldBack.remove(limit);
      }
      terms.limit = null;
    } else if (limit == null) {
      terms.limit = new Limit<>(job, rate, TbfLimit.of(unit, rate).depthTokens(), nowNanos);
    } else {
      limit.setRate(rate, nowNanos);
    }
  }

  private void setReserve(J job, Terms<J> terms, @Nullable Rate rate, long nowNanos) {
    Reserve<J> reserve = terms.reserve;
    if (rate == null) {
      if (reserve != null) {
        reserves.remove(reserve);
      }
      terms.reserve = null;
    } else if (reserve == null) {
      terms.reserve = new Reserve<>(job, rate, nowNanos);
    } else {
      reserve.setRate(rate, reserves.boundTokens(reserve), nowNanos);
    }
  }

  /** A job is forgotten that has nothing queued. */
  public void forget(J job) {
    if (job.terms() != null) {
      job.setTerms(null);
      termed--;
    }
  }

  /** How many have something queued and are at their limits. */
  public int heldBack() {
    return heldBack.size();
  }

  /** Throws where the books do not agree with what is known of all the jobs there are. */
  public void checkInvariants(Iterable<J> jobs) {
    int withTerms = 0;
    int held = 0;
    reserves.checkInvariants();
    heldBack.checkInvariants();
    for (J job : jobs) {
      Terms<J> terms = job.terms();
      if (terms != null) {
        withTerms++;
        held += terms.heldBack ? 1 : 0;
        checkInvariants(job, terms);
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

  private void checkInvariants(J job, Terms<J> terms) {
    Limit<J> limit = terms.limit;
    Reserve<J> reserve = terms.reserve;
    if (terms.heldBack != (limit != null && limit.isQueued())
        || (terms.heldBack && job.queue().isEmpty())
        || (reserve != null && reserve.isQueued() != order.isCompeting(job))) {
      throw new IllegalStateException(job + " is held back or due by mistake");
    }
    if (limit != null) {
      limit.checkInvariants();
    }
    if (reserve != null) {
      reserves.check(reserve);
    }
  }
}
