package dev.sluice.papers.arena;

import dev.sluice.papers.Notation;

/**
 * What a contest shows.
 *
 * @param name as the paper calls it
 * @param lessIsBetter whether the smallest wins
 * @param judged whether contests are judged by it; what a paper does not look at is only shown
 * @param loss why ours may be worse in it; empty where it need not be
 */
public record Metric(
    String name, Notation notation, boolean lessIsBetter, boolean judged, String loss) {
  /** One that contests are judged by. */
  public Metric(String name, Notation notation, boolean lessIsBetter) {
    this(name, notation, lessIsBetter, true, "");
  }

  /** One of which less would be better, and that nobody is judged by. */
  public static Metric shown(String name, Notation notation) {
    return new Metric(name, notation, true, false, "");
  }

  /** The same, with why ours may be worse in it. */
  public Metric losing(String why) {
    return new Metric(name, notation, lessIsBetter, judged, why);
  }

  /** Whether a value is better than another. */
  boolean isBetter(double value, double than) {
    return lessIsBetter ? value < than : value > than;
  }

  /** What tables call it. */
  String column() {
    return name + (judged ? lessIsBetter ? " (less)" : " (more)" : " (shown)");
  }
}
