package dev.sluice.core.period;

/**
 * What flows between a job's bursts.
 *
 * @param mean the bytes in a bin that belong to no burst
 * @param threshold a bin with more than this belongs to a burst
 */
record Background(double mean, double threshold) {
  /** Nothing flows between bursts. */
  static final Background NONE = new Background(0, 0);

  private static final int ROUNDS_MAX = 20;

  /**
   * Divides the bins into low and high ones, so that the threshold is half way between the means of
   * both.
   */
  static Background of(Signal signal) {
    double threshold = 0;
    for (int bin = 0; bin < signal.length(); bin++) {
      threshold += signal.load(bin) / signal.length();
    }
    double lowMean = 0;
    for (int round = 0; round < ROUNDS_MAX; round++) {
      double low = 0;
      double high = 0;
      int highs = 0;
      for (int bin = 0; bin < signal.length(); bin++) {
        if (signal.load(bin) > threshold) {
          high += signal.load(bin);
          highs++;
        } else {
          low += signal.load(bin);
        }
      }
      if (highs == 0 || highs == signal.length()) {
        return NONE;
      }
      lowMean = low / (signal.length() - highs);
      double next = (lowMean + high / highs) / 2;
      if (Math.abs(next - threshold) < threshold * 0.001) {
        break;
      }
      threshold = next;
    }
    return new Background(lowMean, threshold);
  }
}
