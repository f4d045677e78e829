package dev.sluice.core.policy;

import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import dev.sluice.core.period.PeriodDetector;

/**
 * Watches at which cadence one job does I/O on one target. Not thread-safe; the caller brings the
 * time.
 *
 * <p>Asking the detector costs a thousand times what feeding it does, so it is asked no more often
 * than the answer can have changed: after something came, and half a period after the last time.
 */
public final class CadenceMeter {
  private static final long PAUSE_NANOS_MIN = 1_000_000_000L;
  private static final long PAUSE_NANOS_MAX = 60_000_000_000L;

  /** Without an answer, one is looked for again after this part of what was watched so far. */
  private static final int PARTS_OF_HISTORY = 32;

  private final PeriodDetector detector = new PeriodDetector();
  private Cadence found = Cadence.UNKNOWN;
  private boolean news;
  private boolean begun;
  private long begunNanos;
  private long askAgainNanos;

  /** A request of this worth came. */
  public void arrived(long tokens, long nowNanos) {
    if (!begun) {
      begun = true;
      begunNanos = nowNanos;
      askAgainNanos = nowNanos + PAUSE_NANOS_MIN;
    }
    detector.feed(nowNanos, tokens);
    news = true;
  }

  /** What was found last; it stays until something else is found. */
  public Cadence cadence(long nowNanos) {
    if (news && nowNanos - askAgainNanos >= 0) {
      news = false;
      long pause =
          switch (detector.answer(nowNanos)) {
            case Period(long nanos, double confidence) -> {
              found = new Cadence.Every(nanos, confidence);
              yield nanos / 2;
            }
            case Inconclusive _ -> (nowNanos - begunNanos) / PARTS_OF_HISTORY;
          };
      askAgainNanos = nowNanos + Math.clamp(pause, PAUSE_NANOS_MIN, PAUSE_NANOS_MAX);
    }
    return found;
  }

  /** Throws {@link IllegalStateException} where the detector's books contradict each other. */
  public void checkInvariants() {
    detector.checkInvariants();
  }
}
