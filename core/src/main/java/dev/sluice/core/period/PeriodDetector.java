package dev.sluice.core.period;

import java.util.List;
import java.util.Optional;

/**
 * Watches one job's I/O and says at any moment whether it comes in a rhythm, and in which. Not
 * thread-safe; the caller brings the time.
 *
 * <p>Feeding takes constant time and allocates nothing; memory is constant, 33 KiB.
 */
public final class PeriodDetector {
  private final LoadHistory history = new LoadHistory();

  /**
   * Tells of one request. Requests may come slightly out of order; one from before the remembered
   * past changes nothing.
   */
  public void feed(long timeNanos, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes, expected 0 or more");
    }
    history.add(timeNanos, bytes);
  }

  /**
   * Tells of bytes that flowed evenly between two moments, as recorded step functions have them.
   */
  public void feed(long fromNanos, long toNanos, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes, expected 0 or more");
    }
    if (toNanos <= fromNanos) {
      throw new IllegalArgumentException(
          "a flow from " + fromNanos + " ns to " + toNanos + " ns, expected it to take time");
    }
    history.add(fromNanos, toNanos, bytes);
  }

  /** What can be said at this moment; asking changes nothing. */
  public PeriodAnswer answer(long nowNanos) {
    return find(nowNanos).answer();
  }

  /** What can be said at this moment, and the bursts it stands on. */
  public PeriodFinding find(long nowNanos) {
    if (history.isEmpty()) {
      return inconclusive(Inconclusive.Reason.TOO_FEW_BURSTS);
    }
    PeriodSearch search = new PeriodSearch(history, nowNanos);
    Optional<Candidate> best = new Choice(history, nowNanos).among(search.candidates());
    if (best.isEmpty()) {
      return inconclusive(
          search.sawBursts() ? Inconclusive.Reason.IRREGULAR : Inconclusive.Reason.TOO_FEW_BURSTS);
    }
    Candidate rhythm = best.get();
    PeriodAnswer answer =
        rhythm.cyclesSinceLastBurst(nowNanos) > Choice.PAUSE_CYCLES
            ? new Inconclusive(Inconclusive.Reason.SILENT)
            : new Period(Math.round(rhythm.periodNanos()), Confidence.in(rhythm, nowNanos));
    return new PeriodFinding(answer, search.burstsOf(rhythm));
  }

  private static PeriodFinding inconclusive(Inconclusive.Reason reason) {
    return new PeriodFinding(new Inconclusive(reason), List.of());
  }

  /** Throws {@link IllegalStateException} where the books contradict each other. */
  public void checkInvariants() {
    history.checkInvariants();
  }
}
