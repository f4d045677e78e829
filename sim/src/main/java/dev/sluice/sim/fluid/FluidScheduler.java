package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;

/**
 * What a scheduler does, as rates: divides a period of a device among jobs.
 *
 * <p>Theorem. Each gets what the scheduler of this kind itself gives it in the same period, but for
 * a few requests of each job, and but for what buckets had saved up before.
 */
final class FluidScheduler {
  private static final double NO_LIMIT_NANOS = -1;

  private final SchedulerKind kind;
  private final ShareGrouping grouping;
  private final DividedTime division = new DividedTime(8);
  private final List<FluidClaim> unlisted = new ArrayList<>();

  FluidScheduler(SchedulerKind kind, ShareGrouping grouping) {
    this.kind = kind;
    this.grouping = grouping;
  }

  /**
   * Divides a period as the scheduler would.
   *
   * @param claims in ascending order of jobs
   */
  void divide(List<? extends FluidClaim> claims, Shares shares, double deviceNanos) {
    switch (kind) {
      case FIFO -> byOutstanding(claims, deviceNanos);
      case FAIR -> byWeight(claims, shares, deviceNanos);
      case TBF -> byTokens(claims, shares, deviceNanos);
      case IOSETS, MLWDF, SOJOURN, THEMIS ->
          throw new IllegalStateException(kind + " is refused at the beginning");
    }
  }

  /** First come, first served: in proportion to what each keeps outstanding. */
  private void byOutstanding(List<? extends FluidClaim> claims, double deviceNanos) {
    division.clear();
    for (FluidClaim claim : claims) {
      division.add(claim.keptNanos, claim.wantedNanos);
    }
    grant(claims, deviceNanos, 0, deviceNanos);
  }

  /**
   * By weight, with at least what is reserved for each and at most its limit, over the whole of the
   * period.
   */
  private void byWeight(List<? extends FluidClaim> claims, Shares shares, double deviceNanos) {
    FluidBranch root = new FluidBranch(1);
    int listed = 0;
    division.clear();
    for (FluidClaim claim : claims) {
      listed = skipTo(claim.job, shares, listed);
      double weight = 1;
      double reserveNanos = 0;
      claim.limitNanos = Double.POSITIVE_INFINITY;
      if (isAt(claim.job, shares, listed)) {
        weight = (double) shares.weight(listed);
        reserveNanos =
            shares.reservedParts(listed) == 0
                ? 0
                : nanosFor(shares.reserved(listed), claim, shares, deviceNanos);
        claim.limitNanos = nanosFor(shares.tokens(listed), claim, shares, deviceNanos);
      }
      if (grouping.isFlat()) {
        division.add(weight, claim.mostNanos(), reserveNanos);
      } else {
        root.add(claim, weight, reserveNanos, grouping);
      }
    }
    if (!grouping.isFlat()) {
      root.grant(deviceNanos, 1);
      return;
    }
    division.divide(deviceNanos);
    for (int i = 0; i < claims.size(); i++) {
      claims.get(i).grantWithinLimit(division.part(i), division.doneAtPart(i));
    }
  }

  /** Divides what is left of the device's time after some of it was used. */
  private void grant(
      List<? extends FluidClaim> claims, double leftNanos, double usedNanos, double deviceNanos) {
    division.divide(leftNanos);
    for (int i = 0; i < claims.size(); i++) {
      double doneAtNanos = usedNanos + division.doneAtPart(i) * leftNanos;
      claims.get(i).grant(division.part(i), Math.min(1, doneAtNanos / deviceNanos));
    }
  }

  /**
   * A token bucket filter: who is listed gets what it wants up to its tokens; who is not gets what
   * is left of the device's time. What listed jobs do not use of their tokens nobody does.
   */
  private void byTokens(List<? extends FluidClaim> claims, Shares shares, double deviceNanos) {
    int listed = 0;
    double allottedNanos = 0;
    unlisted.clear();
    for (FluidClaim claim : claims) {
      JobId job = claim.job;
      listed = skipTo(job, shares, listed);
      if (isAt(job, shares, listed)) {
        double limitNanos = nanosFor(shares.tokens(listed), claim, shares, deviceNanos);
        claim.limitNanos = limitNanos == Double.POSITIVE_INFINITY ? claim.wantedNanos : limitNanos;
        allottedNanos += claim.mostNanos();
      } else {
        claim.limitNanos = NO_LIMIT_NANOS;
        unlisted.add(claim);
      }
    }
    // Where more is allotted than the device can do, everybody gets less in proportion.
    double part = allottedNanos > deviceNanos ? deviceNanos / allottedNanos : 1;
    for (FluidClaim claim : claims) {
      double limit = claim.limitNanos;
      if (limit != NO_LIMIT_NANOS) {
        double doneAtPart = limit > 0 ? claim.wantedNanos / (limit * part) : 1;
        claim.grant(claim.mostNanos() * part, Math.min(1, doneAtPart));
      }
    }
    if (!unlisted.isEmpty()) {
      division.clear();
      for (FluidClaim claim : unlisted) {
        division.add(claim.keptNanos, claim.wantedNanos);
      }
      double usedNanos = Math.min(allottedNanos, deviceNanos);
      grant(unlisted, deviceNanos - usedNanos, usedNanos, deviceNanos);
    }
  }

  /**
   * The device time that so many tokens of each of the shares' periods stand for, at the price of
   * what a job sends; without end where the tokens are, or where it pays none.
   */
  private static double nanosFor(
      double tokens, FluidClaim claim, Shares shares, double deviceNanos) {
    if (tokens == Double.POSITIVE_INFINITY || claim.wantedTokens == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return tokens * (deviceNanos / shares.periodNanos()) * claim.wantedNanos / claim.wantedTokens;
  }

  private static int skipTo(JobId job, Shares shares, int from) {
    int index = from;
    while (index < shares.size() && shares.job(index).compareTo(job) < 0) {
      index++;
    }
    return index;
  }

  private static boolean isAt(JobId job, Shares shares, int index) {
    return index < shares.size() && shares.job(index).equals(job);
  }
}
