package dev.sluice.app.period;

import dev.sluice.core.period.PeriodDetector;
import dev.sluice.core.period.PeriodFinding;
import java.util.List;
import java.util.Optional;

/**
 * What one job did, as a file has it.
 *
 * @param job who did it, if the file tells jobs apart
 * @param unit what the amounts are
 * @param beginNanos when the recording begins, which may be before the first bytes
 * @param endNanos when it ends
 */
record Recording(
    Optional<String> job, AmountUnit unit, List<Piece> pieces, long beginNanos, long endNanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * The highest rate of a step function becomes so many bytes a second: its own unit is unknown.
   */
  private static final double HIGHEST_RATE = 1e9;

  /** What the amounts of a recording are. */
  enum AmountUnit {
    BYTES,
    /** Shares of something that the file does not name. */
    RELATIVE
  }

  /** An amount that came evenly between two moments, or all at once if they are the same. */
  record Piece(long fromNanos, long toNanos, double amount) {
    boolean isAtOnce() {
      return toNanos == fromNanos;
    }

    double perSecond() {
      return amount / (toNanos - fromNanos) * NANOS_PER_SECOND;
    }
  }

  Recording {
    pieces = List.copyOf(pieces);
  }

  /** What a detector that watched all of it says at its end. */
  PeriodFinding find() {
    double highest =
        pieces.stream()
            .filter(piece -> !piece.isAtOnce())
            .mapToDouble(Piece::perSecond)
            .max()
            .orElse(0);
    double scale = highest > 0 ? HIGHEST_RATE / highest : 1;
    PeriodDetector detector = new PeriodDetector();
    detector.feed(beginNanos, 0);
    for (Piece piece : pieces) {
      if (piece.isAtOnce()) {
        detector.feed(piece.fromNanos, Math.round(piece.amount));
      } else {
        detector.feed(piece.fromNanos, piece.toNanos, Math.round(piece.amount * scale));
      }
    }
    return detector.find(endNanos);
  }
}
