package dev.sluice.studies.live;

/**
 * How a paper's experiment is made to fit on one machine.
 *
 * @param minuteNanos how long a minute of the paper lasts
 * @param scale how many operations of the paper one of ours stands for
 */
record LivePace(long minuteNanos, long scale) {
  /** Three steps a minute: in each the load changes, and so may all limits. */
  private static final int STEPS_PER_MINUTE = 3;

  long stepNanos() {
    return minuteNanos / STEPS_PER_MINUTE;
  }

  /** A time of ours as minutes of the paper. */
  double minutes(long nanos) {
    return (double) nanos / minuteNanos;
  }

  /** The second of the paper that has begun so long after the beginning. */
  int second(long nanos) {
    return (int) (60 * minutes(nanos));
  }

  /** A rate of the paper as one of ours. */
  long perSecond(long ofThePaper) {
    return ofThePaper / scale;
  }

  /** How many of our operations stand for so many of the paper's. */
  long operations(long ofThePaper) {
    return Math.round((double) ofThePaper * minuteNanos / 60e9 / scale);
  }
}
