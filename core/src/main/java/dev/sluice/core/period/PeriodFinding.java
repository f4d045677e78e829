package dev.sluice.core.period;

import java.util.List;

/**
 * An answer and what it stands on.
 *
 * @param bursts the phases of I/O that are a period apart; none without a rhythm
 */
public record PeriodFinding(PeriodAnswer answer, List<Burst> bursts) {
  public PeriodFinding {
    bursts = List.copyOf(bursts);
  }
}
