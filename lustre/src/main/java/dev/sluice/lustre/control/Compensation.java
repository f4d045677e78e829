package dev.sluice.lustre.control;

/**
 * Makes good what Lustre's filter loses. Fractions of tokens are dropped at every request, and a
 * job without tokens holds up others that have some; so rates that add up to the capacity let less
 * than the capacity pass. While jobs are held back though the server is not busy, all that are held
 * back get more, in proportion.
 */
final class Compensation {
  /** How much of what is missing is made good in each period: little enough not to swing. */
  private static final double GAIN = 0.25;

  /** Beyond this the capacity in the configuration is wrong, and no factor repairs that. */
  private static final double FACTOR_MAX = 1.1;

  private double factor = 1;

  /** A period is over in which so much of what could be served was served. */
  void observe(double servedPart, boolean anyHeldBack) {
    if (anyHeldBack) {
      factor = Math.clamp(factor + GAIN * (1 - servedPart), 1, FACTOR_MAX);
    } else {
      factor = 1 + (factor - 1) * (1 - GAIN);
    }
  }

  /** What the rates of jobs that are held back are multiplied by. */
  double factor() {
    return factor;
  }
}
