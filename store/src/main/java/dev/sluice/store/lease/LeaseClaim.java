package dev.sluice.store.lease;

import org.jspecify.annotations.Nullable;

/**
 * One controller's claim to the lease: what it has seen of the row, what it does next, and until
 * when it may act as the leader. Pure: it has no clock and no database; the caller brings the time
 * by its own monotonic clock, and carries out what {@link #next} says. Not thread-safe.
 *
 * <p>Theorem. However the answers of the database are delayed or lost, and whoever is paused for
 * however long: no two claims may lead at the same moment, as long as no clock runs faster than
 * another by more than {@code margin / lease}.
 *
 * <p>Proof. A holder may lead until {@code lease − margin} after it <em>began</em> to write a
 * renewal that succeeded. Another takes the lease only by replacing the very row that it has known
 * for a whole {@code lease}, counted from the <em>end</em> of the look that first showed it. That
 * look ended after the row was written, so after the renewal began: the holder has stopped. The
 * clocks never need to show the same time. And since rows never repeat, replacing the row that was
 * known cannot succeed after anybody has written in between.
 *
 * <p>That is so for a database that does not forget. One that fails over to a copy that lags, or is
 * restored, puts back an earlier row, and with it whoever held it then. So a claim trusts a row no
 * further than it has watched it: one that was not looked at for half a lease, or not answered for,
 * is counted anew; one with its own name is its own only while its right to lead lasts; one with a
 * lower epoch than is known is nobody's for a whole lease, even if it says that it is free. And no
 * epoch is taken that is not above all that were ever seen, kept in a file or {@link #outdo told
 * of}. That makes it rare that two lead after such a loss, until the first of them tries to renew;
 * that no node obeys both is what {@link Fence} is for.
 */
final class LeaseClaim {
  private final String holder;
  private final LeaseTimes times;

  /** The row as last seen or written; null before the first time. */
  private @Nullable LeaseRow known;

  /** Since when {@link #known} has been like this, for all that we can vouch for. */
  private long knownSinceNanos;

  /** Whether the row must be looked at before anything else: it may have become another. */
  private boolean stale = true;

  /** When a look or a write of ours was last answered. */
  private long answeredNanos;

  /** The highest epoch that is known of, whoever led in it. */
  private long highestEpoch;

  /** The highest epoch that is not ours, or not in this history: we must lead above it. */
  private long outdoneEpoch;

  private long nextLookNanos;
  private long renewalDueNanos;

  private boolean givenUp;
  private @Nullable Grant grant;

  /** Since when, as far as we know, nobody had given a sign of life when we took the lease. */
  private @Nullable Long vacantSinceNanos;

  /**
   * The right to lead.
   *
   * @param untilNanos by the clock of the claim; from then on it is over
   */
  record Grant(long epoch, long untilNanos) {
    boolean holds(long nowNanos) {
      return nowNanos - untilNanos < 0;
    }
  }

  /** What to do with the database, and when. */
  sealed interface Move {
    /** Read the row, and say so with {@link LeaseClaim#seen}. */
    record Look() implements Move {}

    /** Replace the row if it is still as expected, and say so with {@link LeaseClaim#wrote}. */
    record Replace(LeaseRow expected, LeaseRow by) implements Move {}

    /** Nothing before this instant. */
    record Rest(long untilNanos) implements Move {}

    /** Nothing ever again: the lease was given back. */
    record Over() implements Move {}
  }

  /**
   * @param holder a name that no other claim has, not even an earlier one of the same controller
   * @param highestEpoch that is known of from before
   */
  LeaseClaim(String holder, LeaseTimes times, long highestEpoch, long nowNanos) {
    if (holder.equals(LeaseRow.NOBODY)) {
      throw new IllegalArgumentException("the holder of a lease needs a name");
    }
    this.holder = holder;
    this.times = times;
    this.highestEpoch = highestEpoch;
    this.outdoneEpoch = highestEpoch;
    this.answeredNanos = nowNanos;
    this.nextLookNanos = nowNanos;
    this.renewalDueNanos = nowNanos;
  }

  /** The right to lead as it was last granted; it may be over. */
  @Nullable Grant grant() {
    return grant;
  }

  /**
   * Of a lease that was taken: when it was first seen as it was then, so about when its last holder
   * gave its last sign of life, or gave it back. Null before one was taken.
   */
  @Nullable Long vacantSinceNanos() {
    return vacantSinceNanos;
  }

  boolean mayLead(long nowNanos) {
    Grant granted = grant;
    return granted != null && granted.holds(nowNanos);
  }

  /** What to do now. */
  Move next(long nowNanos) {
    LeaseRow row = known;
    if (row == null || stale) {
      return nowNanos - nextLookNanos >= 0 ? new Move.Look() : new Move.Rest(nextLookNanos);
    }
    boolean named = row.holder().equals(holder);
    if (givenUp) {
      return named ? new Move.Replace(row, row.givenBack()) : new Move.Over();
    }
    if (named && mayLead(nowNanos)) {
      if (nowNanos - renewalDueNanos < 0) {
        return new Move.Rest(renewalDueNanos);
      }
      boolean outdone = row.epoch() <= outdoneEpoch;
      return new Move.Replace(row, outdone ? taken(row) : row.renewed());
    }
    if (nowNanos - answeredNanos > unwatchedNanosMax()) {
      // Who knows what it was in the meantime.
      return new Move.Look();
    }
    boolean free = row.isFree() && row.epoch() >= highestEpoch;
    long freeNanos = free ? knownSinceNanos : knownSinceNanos + times.leaseNanos();
    if (nowNanos - freeNanos >= 0) {
      return new Move.Replace(row, taken(row));
    }
    if (nowNanos - nextLookNanos >= 0) {
      return new Move.Look();
    }
    return new Move.Rest(freeNanos - nextLookNanos < 0 ? freeNanos : nextLookNanos);
  }

  private LeaseRow taken(LeaseRow row) {
    return row.takenBy(holder, Math.max(row.epoch(), highestEpoch) + 1);
  }

  /** For how long a row may go unseen and still count as having been so all the while. */
  private long unwatchedNanosMax() {
    return times.leaseNanos() / 2;
  }

  /** The highest epoch that is known of. */
  long highestEpoch() {
    return highestEpoch;
  }

  /**
   * Somebody else has led in this epoch, as a node says that obeyed it: whoever leads here does so
   * in a higher one from the next write on, which is due now.
   */
  void outdo(long epoch, long nowNanos) {
    highestEpoch = Math.max(highestEpoch, epoch);
    outdoneEpoch = Math.max(outdoneEpoch, epoch);
    Grant granted = grant;
    if (granted != null && granted.epoch <= outdoneEpoch) {
      renewalDueNanos = nowNanos;
    }
  }

  /** A look has shown this row; {@code nowNanos} is when its answer had come. */
  void seen(LeaseRow row, long nowNanos) {
    boolean watched = nowNanos - answeredNanos <= unwatchedNanosMax();
    if (!row.equals(known) || !watched) {
      knownSinceNanos = nowNanos;
    }
    LeaseRow before = known;
    if (before != null
        && (row.epoch() < before.epoch()
            || (row.epoch() == before.epoch() && row.renewals() < before.renewals()))) {
      // It went back: what was before may come again, and must not be taken for this.
      outdoneEpoch = Math.max(outdoneEpoch, before.epoch());
    }
    known = row;
    highestEpoch = Math.max(highestEpoch, row.epoch());
    if (!row.holder().equals(holder)) {
      grant = null;
    }
    stale = false;
    answeredNanos = nowNanos;
    nextLookNanos = nowNanos + times.lookNanos();
  }

  /**
   * A write was answered.
   *
   * @param replaced whether the row was as expected
   * @param beganNanos when the write was begun, not when it was answered
   */
  void wrote(Move.Replace move, boolean replaced, long beganNanos, long nowNanos) {
    if (!replaced) {
      grant = null;
      stale = true;
      nextLookNanos = nowNanos;
      return;
    }
    if (move.by().epoch() != move.expected().epoch() && grant == null) {
      vacantSinceNanos = knownSinceNanos;
    }
    known = move.by();
    knownSinceNanos = nowNanos;
    answeredNanos = nowNanos;
    highestEpoch = Math.max(highestEpoch, move.by().epoch());
    renewalDueNanos = beganNanos + times.renewNanos();
    nextLookNanos = nowNanos + times.lookNanos();
    boolean mayLead = move.by().holder().equals(holder) && !givenUp;
    grant =
        mayLead
            ? new Grant(move.by().epoch(), beganNanos + times.leaseNanos() - times.marginNanos())
            : null;
  }

  /**
   * The database did not answer, so that nobody knows whether what was asked for was done. What was
   * granted before stays so until its end. A row that is found unchanged soon has been so all the
   * while.
   */
  void failed(long nowNanos) {
    stale = true;
    nextLookNanos = nowNanos + times.lookNanos();
  }

  /** Leads no more from now on, and gives the lease back as soon as the database lets it. */
  void giveUp() {
    givenUp = true;
    grant = null;
  }
}
