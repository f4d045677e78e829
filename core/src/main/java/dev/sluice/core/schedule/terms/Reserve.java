package dev.sluice.core.schedule.terms;

import dev.sluice.core.model.Rate;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.TokenLevel;

/**
 * What is reserved for a job: tokens that come in at a rate. All that the job is served takes some,
 * by reserve or by weight, but what is not there is not owed. So what is there is how far the job
 * is behind its reserve, and who had more of late by its weight has its reserve all the same from
 * now on.
 *
 * <p>Theorem. While the level stays below its bound, over {@code w} nanoseconds in which a job has
 * something queued throughout it is served at least {@code rate × w - bound}: the level grows by
 * {@code rate × w}, and each token it is served takes at most one.
 */
final class Reserve<J> extends IndexedHeap.Entry {
  /** Requests of the largest price by which a job may be behind. */
  private static final int OWN_REQUESTS = 2;

  /** A target may stand still for so long, as one does that the kernel throttles, and catch up. */
  private static final double CATCH_UP_SECONDS = 0.25;

  final J job;
  private final TokenLevel level;
  private Rate rate;

  /** The largest price that the job's requests had. */
  private long largestPrice = 1;

  /** When so much has come in that the next request is behind by one of its kind. */
  private long deadlineNanos;

  /** Whether it waits among those whose tokens are there. */
  boolean due;

  /** Empty. */
  Reserve(J job, Rate rate, long nowNanos) {
    this.job = job;
    this.rate = rate;
    this.level = new TokenLevel(rate, 0, 0, nowNanos);
  }

  /** Sets another rate. The level stays what it is. */
  void setRate(Rate other, long boundTokens, long nowNanos) {
    if (!level.isAt(other)) {
      refill(boundTokens, nowNanos);
      level.setRate(other);
      rate = other;
    }
  }

  /**
   * How far the job is behind at most while the target serves all along: two of its own largest
   * requests, and one of anybody's that was begun just before.
   */
  long steadyTokens(long largestOfAll) {
    return OWN_REQUESTS * largestPrice + largestOfAll;
  }

  /** How far the job can be behind: that, or what comes in while the target stands still. */
  long boundTokens(long largestOfAll) {
    double standing =
        (double) rate.tokens() * Rate.NANOS_PER_SECOND / rate.periodNanos() * CATCH_UP_SECONDS;
    return Math.max(steadyTokens(largestOfAll), (long) standing);
  }

  private void refill(long boundTokens, long nowNanos) {
    level.setBound(boundTokens);
    level.refill(nowNanos);
  }

  /** The job had nothing queued: what came in meanwhile is worth its first request, no more. */
  void comeBack(long price, long boundTokens, long nowNanos) {
    refill(boundTokens, nowNanos);
    level.setBound(Math.min(price, boundTokens));
    level.setBound(boundTokens);
  }

  /** Takes the price of what is served, as far as it is there. */
  void take(long price, long boundTokens, long nowNanos) {
    refill(boundTokens, nowNanos);
    level.add(-price, 0);
  }

  /** When the tokens for a request of this price are there; the deadline is known by then, too. */
  long dueNanos(long price, long largestOfAll, long nowNanos) {
    largestPrice = Math.max(largestPrice, price);
    refill(boundTokens(largestOfAll), nowNanos);
    deadlineNanos = TermsInForce.later(nowNanos, level.nanosUntil(2 * price));
    return TermsInForce.later(nowNanos, level.nanosUntil(price));
  }

  long deadlineNanos() {
    return deadlineNanos;
  }

  void checkInvariants(long largestOfAll) {
    level.checkInvariants(0);
  }
}
