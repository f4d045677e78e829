package dev.sluice.sim.report.svg;

/**
 * What axes reach at least, beyond what the values need, so that pictures side by side compare.
 *
 * @param x the horizontal axis
 * @param y the value axis
 */
public record Reach(double x, double y) {
  /** As far as the values. */
  public static final Reach VALUES = new Reach(0, 0);
}
