package dev.sluice.papers.sdqpro;

import static dev.sluice.papers.Condition.near;

import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import java.util.List;

/** Claims about the part of what is desired that is allocated. */
final class Shares {
  /** The paper writes "approximately" and rounds to whole percents in its text. */
  private static final double POINTS = 1;

  private static final double POINTS_WEAKER = 5;

  private Shares() {}

  /** That a share is what the paper says. */
  static Claim close(String id, String paper, Figure ours, double percent) {
    return new Claim(id, paper, List.of(ours), near(ours.name(), percent, POINTS))
        .orWeaker(near(ours.name(), percent, POINTS_WEAKER));
  }
}
