package dev.sluice.core.policy;

import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import dev.sluice.core.period.PeriodAnswer;
import dev.sluice.core.period.PeriodDetector;

/**
 * Watches at which cadence one job does I/O on one target. Not thread-safe; the caller brings the
 * time.
 *
 * <p>Asking the detector costs a thousand times what feeding it does, so it is asked no more often
 * than the answer can have changed: after something came, half a period after the last time, and
 * the less often the longer the same rhythm has been seen: a sixteenth of that time apart, and
 * never more than a minute. That a rhythm is over is found so much later than the detector could
 * have told. Whoever holds a lock that requests wait for asks in three steps, of which {@link
 * #answer} needs no lock.
 */
public final class CadenceMeter {
  /**
   * What comes more often than this is the pace of single requests, which a busy server makes as
   * regular as a clock, and not that of phases.
   */
  public static final long SHORTEST_NANOS = 1_000_000_000L;

  private static final long ASK_PAUSE_NANOS_MIN = 1_000_000_000L;
  private static final long ASK_PAUSE_NANOS_MAX = 60_000_000_000L;

  /** Without an answer, one is looked for again after this part of what was watched so far. */
  private static final int PARTS_OF_HISTORY = 32;

  /** A rhythm that was seen before is looked for again after this part of the time it has held. */
  private static final int PARTS_OF_RHYTHM = 16;

  /** Periods that differ by no more than this share are those of one rhythm. */
  private static final double SAME_RHYTHM_SHARE = 0.1;

  /** Who has nothing outstanding for longer than this is between two phases. */
  private static final long PHASE_PAUSE_NANOS = 100_000_000L;

  /** Bound on what is kept apart while the detector is asked; what is more joins the last of it. */
  private static final int LATE_MAX = 64;

  /** A phase that is worth comparing with the next one. */
  private static final long LONG_PHASE_NANOS = 10_000_000_000L;

  private final PeriodDetector detector = new PeriodDetector();
  private Cadence found = Cadence.UNKNOWN;
  private boolean begun;
  private boolean news;
  private long begunNanos;
  private long askAgainNanos;

  /** Since when every answer was the rhythm that was found last. */
  private long heldSinceNanos;

  /** What came while the detector was being asked; the times and, at the same places, the worth. */
  private final long[] lateNanos = new long[LATE_MAX];

  private final long[] lateTokens = new long[LATE_MAX];
  private int late;
  private boolean asking;

  private long outstanding;
  private long phaseSinceNanos;
  private long restsSinceNanos;

  /** Worth of what came in this phase so far. */
  private long phaseTokens;

  /** Worth of the phase before; negative while there was none. */
  private long lastPhaseTokens = JobDemand.NOT_KNOWN;

  /** The longest phase, or the longest time from the start of a long one to that of the next. */
  private long longestNanos;

  /** A request of this worth came. */
  public void arrived(long tokens, long nowNanos) {
    if (!begun) {
      begun = true;
      begunNanos = nowNanos;
      phaseSinceNanos = nowNanos;
      askAgainNanos = nowNanos + ASK_PAUSE_NANOS_MIN;
    } else if (outstanding == 0 && nowNanos - restsSinceNanos > PHASE_PAUSE_NANOS) {
      if (restsSinceNanos - phaseSinceNanos >= LONG_PHASE_NANOS) {
        longestNanos = Math.max(longestNanos, nowNanos - phaseSinceNanos);
      }
      phaseSinceNanos = nowNanos;
      lastPhaseTokens = phaseTokens;
      phaseTokens = 0;
    }
    phaseTokens += tokens;
    outstanding++;
    news = true;
    if (asking) {
      keepForLater(tokens, nowNanos);
    } else {
      detector.feed(nowNanos, tokens);
    }
  }

  private void keepForLater(long tokens, long nowNanos) {
    if (late < LATE_MAX) {
      lateNanos[late] = nowNanos;
      lateTokens[late++] = tokens;
    } else {
      lateTokens[late - 1] += tokens;
    }
  }

  /** A request that came is served. */
  public void completed(long nowNanos) {
    // What came before anybody watched is not known here.
    outstanding = Math.max(0, outstanding - 1);
    restsSinceNanos = nowNanos;
    longestNanos = Math.max(longestNanos, nowNanos - phaseSinceNanos);
  }

  /**
   * What was found last, which stays until something else is found; else how far phases are apart
   * at least.
   */
  public Cadence cadence(long nowNanos) {
    if (beginAsking(nowNanos)) {
      endAsking(answer(nowNanos), nowNanos);
    }
    return known();
  }

  /** What {@link #cadence} would say without asking the detector. */
  public Cadence known() {
    if (found instanceof Cadence.Unknown && longestNanos >= SHORTEST_NANOS) {
      return new Cadence.AtLeast(longestNanos);
    }
    return found;
  }

  /**
   * What is still to come of the phase that the job is in, if it is like the one before: known of
   * jobs that have a rhythm.
   */
  public long phaseRestTokens() {
    return found instanceof Cadence.Every && lastPhaseTokens >= 0
        ? Math.max(0, lastPhaseTokens - phaseTokens)
        : JobDemand.NOT_KNOWN;
  }

  /**
   * The first of three steps: whether it is time to ask. Then nobody else may ask until {@link
   * #endAsking}.
   */
  public boolean beginAsking(long nowNanos) {
    if (asking || !news || nowNanos - askAgainNanos < 0) {
      return false;
    }
    news = false;
    asking = true;
    return true;
  }

  /** The second step: asks. Meanwhile others may call {@link #arrived} and {@link #completed}. */
  public PeriodAnswer answer(long nowNanos) {
    return detector.answer(nowNanos);
  }

  /** The third step: takes note. */
  public void endAsking(PeriodAnswer answer, long nowNanos) {
    asking = false;
    for (int i = 0; i < late; i++) {
      detector.feed(lateNanos[i], lateTokens[i]);
    }
    late = 0;
    long pauseNanos =
        switch (answer) {
          case Period(long nanos, double confidence) when nanos >= SHORTEST_NANOS -> {
            if (!isFound(nanos)) {
              heldSinceNanos = nowNanos;
            }
            found = new Cadence.Every(nanos, confidence);
            yield Math.max(nanos / 2, (nowNanos - heldSinceNanos) / PARTS_OF_RHYTHM);
          }
          case Period _, Inconclusive _ -> {
            heldSinceNanos = nowNanos;
            yield (nowNanos - begunNanos) / PARTS_OF_HISTORY;
          }
        };
    askAgainNanos = nowNanos + Math.clamp(pauseNanos, ASK_PAUSE_NANOS_MIN, ASK_PAUSE_NANOS_MAX);
  }

  private boolean isFound(long periodNanos) {
    return found instanceof Cadence.Every(long nanos, _)
        && Math.abs(periodNanos - nanos) <= nanos * SAME_RHYTHM_SHARE;
  }

  /** Throws {@link IllegalStateException} where its books contradict each other. */
  public void checkInvariants() {
    if (!asking) {
      detector.checkInvariants();
    }
    if (outstanding < 0 || longestNanos < 0) {
      throw new IllegalStateException(
          outstanding + " requests outstanding, the longest phase " + longestNanos + " ns");
    }
  }
}
