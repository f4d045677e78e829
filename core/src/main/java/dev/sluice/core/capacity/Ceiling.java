package dev.sluice.core.capacity;

/**
 * How fast requests are given to a storage. Above what it can do it is cut to what was delivered,
 * less a little so that the storage's queue empties. Then, while requests are held back by it, it
 * comes back as CUBIC does, stays near what was the most for most of a minute and then goes on
 * quickly: so a storage in steady use is given too much seldom and for moments, and one that became
 * faster is found out.
 */
final class Ceiling {
  /** So much below what was delivered it goes on after a cut. */
  private static final double CUT = 0.015;

  /** How long it takes to come back to what was the most, where cuts agree about that. */
  private static final double RETURN_SECONDS = 44;

  /** The same after a cut that was a surprise. */
  private static final double RETURN_SOON_SECONDS = 5;

  /** The same where cuts agree, but are not exact: a storage so unsteady often has more to give. */
  private static final double RETURN_UNSTEADY_SECONDS = 12;

  /** From this standard error on a storage is as unsteady as that. */
  static final double UNSTEADY = 0.02;

  /** Cuts that differ by no more than this agree. */
  private static final double AGREE = 0.1;

  /** Beyond, it grows by this part of itself in a second. */
  private static final double GROWTH = 0.07;

  /** Bound on what is tried beyond what was seen. */
  private static final double GROWTH_MAX = 4;

  /** So much lower is what was the most where a storage stood still below it. */
  private static final double LOWER = 0.01;

  /** And so much higher where it did not. */
  private static final double RAISE = 0.005;

  /** Further below what was delivered in full use no stall is the ceiling's fault. */
  private static final double LOWERED_MAX = 0.08;

  private double perSecond = Double.POSITIVE_INFINITY;

  /** What the last cut found. */
  private double inFullUse = Double.POSITIVE_INFINITY;

  private double most = Double.POSITIVE_INFINITY;
  private double climbedSeconds;
  private double returnSeconds = RETURN_SOON_SECONDS;

  double perSecond() {
    return perSecond;
  }

  /** What it was cut to last, before it climbed. */
  double most() {
    return most;
  }

  boolean isKnown() {
    return perSecond < Double.POSITIVE_INFINITY;
  }

  /**
   * The storage was given too much, and delivered so much.
   *
   * @param error the standard error of what it delivered, as a part of it
   */
  void cut(double delivered, double error) {
    double before = most;
    most = Math.min(delivered, perSecond);
    boolean agree = Math.abs(most / before - 1) <= AGREE;
    double steadiness = Math.max(0, 1 - error / UNSTEADY);
    double longest =
        RETURN_UNSTEADY_SECONDS + steadiness * (RETURN_SECONDS - RETURN_UNSTEADY_SECONDS);
    returnSeconds = agree ? Math.min(longest, 3 * returnSeconds) : RETURN_SOON_SECONDS;
    inFullUse = most;
    goOnBelow();
  }

  private void goOnBelow() {
    perSecond = most * (1 - CUT);
    climbedSeconds = 0;
  }

  /** Whether more is tried than was the most. */
  boolean isBeyond() {
    return climbedSeconds > returnSeconds;
  }

  /**
   * The storage stood still when it was given more than was the most: that was a little more, if at
   * all.
   *
   * @param proven what it has shown to do, whatever it had saved before
   */
  void comeBack(double proven) {
    double before = most;
    most = Math.max(most * (1 + RAISE), Math.min(proven, perSecond));
    inFullUse = Math.max(inFullUse, proven);
    boolean agree = most / before - 1 <= AGREE;
    returnSeconds = agree ? Math.min(RETURN_SECONDS, 3 * returnSeconds) : RETURN_SOON_SECONDS;
    goOnBelow();
  }

  /**
   * The storage stood still though it was given no more than was the most: that was a little less.
   * Answers whether it can have been; else it is what was delivered in full use again.
   */
  boolean lower() {
    most *= 1 - LOWER;
    boolean possible = most >= inFullUse * (1 - LOWERED_MAX);
    if (possible) {
      goOnBelow();
    } else {
      most = inFullUse;
      returnSeconds = RETURN_SOON_SECONDS;
      goOnBelow();
    }
    return possible;
  }

  /**
   * Requests were held back for so long, and the storage did well.
   *
   * <p>Theorem. It never falls; within 44 s it is what was the most, and twice that within 55 s.
   */
  void climb(double seconds) {
    if (!isKnown()) {
      return;
    }
    climbedSeconds += seconds;
    double before = (returnSeconds - climbedSeconds) / returnSeconds;
    double factor =
        before > 0
            ? 1 - CUT * before * before * before
            : Math.min(GROWTH_MAX, Math.pow(1 + GROWTH, climbedSeconds - returnSeconds));
    perSecond = Math.max(perSecond, most * factor);
    if (factor == GROWTH_MAX) {
      most = perSecond;
      climbedSeconds = returnSeconds;
    }
  }

  /** Costs are counted otherwise from now on. */
  void scale(double factor) {
    perSecond *= factor;
    inFullUse *= factor;
    most *= factor;
  }
}
