package dev.sluice.papers.gift;

import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.atMost;

import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import java.util.List;

/**
 * A change that the paper names a number for. It holds where ours is as large or larger, and weaker
 * where it is half as large. Agreement is no evidence: the applications, which the paper does not
 * give, were chosen looking at such figures.
 */
record Magnitude(String id, String what, double paper) {
  private static final String CHOSEN =
      "our applications were chosen, after five other sets, so that contention and changes like"
          + " this one come near the paper's";

  Claim beside(double ours) {
    double percent = 100 * paper;
    boolean falls = paper < 0;
    return new Claim(
            id,
            what + " " + Figure.of(what, paper, Notation.CHANGE).text(),
            List.of(Figure.of(what, ours, Notation.CHANGE)),
            falls ? atMost(what, percent) : atLeast(what, percent))
        .orWeaker(falls ? atMost(what, percent / 2) : atLeast(what, percent / 2))
        .calibrated(CHOSEN);
  }

  /** The same where ours is known to be less, with what we think is the cause. */
  Claim beside(double ours, String cause) {
    return beside(ours).calibrated(CHOSEN + ", but " + cause);
  }

  /** That run time is shorter, which the paper gives no number for. */
  static Claim shorter(String id, double ours) {
    return new Claim(
            id,
            "run time is shorter",
            List.of(Figure.of("run time", ours, Notation.CHANGE)),
            atMost("run time", -0.1))
        .calibrated(CHOSEN);
  }
}
