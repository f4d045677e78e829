package dev.sluice.core.schedule.anticipation;

import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.terms.Terms;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Waits a little for jobs that have nothing queued for the moment, because they send a request only
 * when the one before is answered. Such a job would lose its place to whoever has something queued
 * in those milliseconds, whatever its weight.
 *
 * <p>A request is held while a job is away that would be served before it, and that is due back
 * soon: within {@link #HOLD_NANOS_MAX}, and within the time that either of the two requests keeps
 * the target busy. So whoever asks for little, or waits for somebody who does, is hardly held.
 *
 * <p>Theorem. A paced target makes up for a short time without requests. Beyond that, of any
 * interval of {@code t} nanoseconds at most {@code t / 2^5} and {@link #LOSS_NANOS_MAX} are lost by
 * holding requests, however jobs behave, as far as whoever asks is punctual: a loss is afforded
 * from an allowance that grows no faster, before it is risked.
 *
 * @param <J> what the scheduler keeps of a job
 */
public final class Anticipation<J extends ReturningJob<J>> {
  /** Nobody is held for longer at a time. */
  static final long HOLD_NANOS_MAX = 20_000_000;

  /** The allowance for losses at most. */
  static final long LOSS_NANOS_MAX = 10_000_000;

  /** One part in 2^5 of the time may be lost. */
  static final int LOSS_BITS = 5;

  /** With more jobs away than this there are enough others to choose from. */
  private static final int AWAY_MAX = 32;

  private final Predicate<J> wouldBeFirst;
  private final List<Absence<J>> away = new ArrayList<>();

  private boolean began;
  private long allowanceNanos;
  private long lookedAtNanos;
  private boolean holding;
  private long heldSinceNanos;

  /**
   * @param wouldBeFirst whether a job would be next if it had something queued
   */
  public Anticipation(Predicate<J> wouldBeFirst) {
    this.wouldBeFirst = wouldBeFirst;
  }

  /** Whether it is known of somebody when it comes back. */
  public boolean isAnybodyAway() {
    return !away.isEmpty();
  }

  /** A job's last request was handed out. */
  public void leaves(J job, long price, long nowNanos) {
    Absence<J> absence = job.absence();
    if (absence == null) {
      absence = new Absence<>(job);
      job.setAbsence(absence);
    }
    absence.begin(price, nowNanos);
    if (away.size() < AWAY_MAX && absence.isExpected(nowNanos)) {
      absence.awayIndex = away.size();
      away.add(absence);
    }
  }

  /** A job that had nothing queued has a request again. */
  public void returns(Absence<J> absence, long nowNanos) {
    absence.end(nowNanos);
    forget(absence);
  }

  /** A job is waited for no longer. */
  public void forget(Absence<J> absence) {
    int index = absence.awayIndex;
    if (index >= 0) {
      Absence<J> last = away.removeLast();
      if (index < away.size()) {
        away.set(index, last);
        last.awayIndex = index;
      }
      absence.awayIndex = -1;
    }
  }

  /** A request is handed out: whoever was held is so no more. */
  public void handsOut(Pace pace, long nowNanos) {
    if (holding) {
      keepAllowance(pace.spareNanos(nowNanos), nowNanos);
      holding = false;
    }
  }

  /**
   * Until when the request is to be held that is first among those that wait; now when it is not.
   */
  public long holdUntil(long price, Pace pace, long nowNanos) {
    long spareNanos = pace.spareNanos(nowNanos);
    keepAllowance(spareNanos, nowNanos);
    long heldNanos = holding ? nowNanos - heldSinceNanos : 0;
    long longestNanos =
        Math.min(
            Math.min(HOLD_NANOS_MAX, pace.nanosFor(price)) - heldNanos,
            Math.max(spareNanos, 0) + allowanceNanos);
    long holdNanos = 0;
    for (int i = away.size() - 1; i >= 0; i--) {
      Absence<J> absence = away.get(i);
      long leftNanos = absence.dueNanos() - nowNanos;
      if (leftNanos <= 0) {
        forget(absence);
        if (absence.awaited) {
          absence.miss(nowNanos);
        }
      } else if (leftNanos <= longestNanos
          && leftNanos <= pace.nanosFor(absence.price) - heldNanos
          && wouldBeServed(absence, leftNanos, nowNanos)
          && wouldBeFirst.test(absence.job)) {
        absence.awaited = true;
        holdNanos = holdNanos == 0 ? leftNanos : Math.min(holdNanos, leftNanos);
      }
    }
    if (holdNanos > 0 && !holding) {
      holding = true;
      heldSinceNanos = nowNanos;
    }
    return nowNanos + holdNanos;
  }

  /** What was lost since the last look is no longer there to be lost. */
  private void keepAllowance(long spareNanos, long nowNanos) {
    if (!began) {
      began = true;
      lookedAtNanos = nowNanos;
    }
    long elapsedNanos = nowNanos - lookedAtNanos;
    lookedAtNanos = nowNanos;
    long lostNanos =
        holding ? Math.clamp(-spareNanos, 0, Math.min(elapsedNanos, nowNanos - heldSinceNanos)) : 0;
    long grown = Math.min(LOSS_NANOS_MAX, allowanceNanos + (elapsedNanos >> LOSS_BITS));
    allowanceNanos = Math.max(0, grown - lostNanos);
  }

  /** Whether a job is below its limit by the time it is due back. */
  private static <J extends ReturningJob<J>> boolean wouldBeServed(
      Absence<J> absence, long leftNanos, long nowNanos) {
    Terms<J> terms = absence.job.terms();
    return terms == null || terms.nanosUntilFree(absence.price, nowNanos) <= leftNanos;
  }

  /** Throws where somebody is waited for who is there, or more is allowed than may be. */
  public void checkInvariants() {
    for (int i = 0; i < away.size(); i++) {
      Absence<J> absence = away.get(i);
      if (absence.awayIndex != i
          || absence.job.absence() != absence
          || !absence.job.queue().isEmpty()) {
        throw new IllegalStateException(absence.job + " is waited for by mistake");
      }
    }
    if (away.size() > AWAY_MAX || allowanceNanos < 0 || allowanceNanos > LOSS_NANOS_MAX) {
      throw new IllegalStateException(
          away.size() + " jobs are waited for, with an allowance of " + allowanceNanos + " ns");
    }
  }
}
