package dev.sluice.sim.papers.gift;

import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Texts;

/** A change that the paper names a number for. It holds where ours is at least 4/5 of that. */
record Magnitude(String id, String what, double paper) {
  private static final double ENOUGH = 0.8;

  Claim beside(double ours) {
    return new Claim(
        id, what + " " + Texts.change(paper), Texts.change(ours), ours / paper >= ENOUGH);
  }

  /** Where a paper says no more than that something is better. */
  static Claim better(String id, String what, double ours, boolean isBetter) {
    return new Claim(id, what, Texts.change(ours), isBetter);
  }
}
