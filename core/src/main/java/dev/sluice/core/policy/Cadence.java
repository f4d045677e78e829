package dev.sluice.core.policy;

/** How often a job does I/O, as far as a policy is told; or what somebody made of it. */
public sealed interface Cadence {
  /** Nobody knows. */
  Unknown UNKNOWN = new Unknown();

  /** Nobody knows, or what was seen has no rhythm. */
  record Unknown() implements Cadence {}

  /**
   * Phases of I/O begin so far apart, on average.
   *
   * @param confidence from 0 to 1: how likely that is right; 1 where somebody said so
   */
  record Every(long nanos, double confidence) implements Cadence {
    public Every {
      if (nanos < 1 || !(confidence >= 0 && confidence <= 1)) {
        throw new IllegalArgumentException(
            "a period has at least 1 ns and a confidence from 0 to 1, not "
                + nanos
                + " ns and "
                + confidence);
      }
    }
  }

  /**
   * No period is found yet, but a phase of I/O has lasted for so long, or a long one began so long
   * before the next: whatever the period is, it is not shorter.
   */
  record AtLeast(long nanos) implements Cadence {
    public AtLeast {
      if (nanos < 1) {
        throw new IllegalArgumentException("a phase has at least 1 ns, not " + nanos);
      }
    }
  }

  /** Somebody gave the job a priority, whatever its phases are: 10^−i is that of the set i. */
  record Prioritised(double priority) implements Cadence {
    /** The smallest priority there is. */
    public static final double PRIORITY_MIN = 1e-9;

    /** The largest priority there is. */
    public static final double PRIORITY_MAX = 1e3;

    public Prioritised {
      if (!(priority >= PRIORITY_MIN && priority <= PRIORITY_MAX)) {
        throw new IllegalArgumentException(
            "a priority is a number from 0.000000001 to 1000, not " + priority);
      }
    }
  }
}
