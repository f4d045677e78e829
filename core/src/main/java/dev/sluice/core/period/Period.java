package dev.sluice.core.period;

/**
 * A job has a period.
 *
 * @param nanos the mean time between the starts of consecutive phases of I/O
 * @param confidence how often such an answer is right to within 15 %, from 0 to 1
 */
public record Period(long nanos, double confidence) implements PeriodAnswer {
  public Period {
    if (nanos <= 0) {
      throw new IllegalArgumentException("period " + nanos + " ns, expected more than 0");
    }
    if (!(confidence >= 0 && confidence <= 1)) {
      throw new IllegalArgumentException("confidence " + confidence + ", expected 0 to 1");
    }
  }
}
