package dev.sluice.core.schedule.sojourn;

/**
 * How far somebody goes on in virtual time by what it is served, in whole parts. What is less than
 * a part is carried to the next step: where weights are large, as they are over a tree of shares, a
 * request of one operation is a part or two, and what is cut off would be a share that somebody has
 * too much.
 *
 * <p>Theorem. All steps together are never ahead of what all tokens are for the weights that they
 * were served at, and behind it by less than a part, but for a rounding of the carried part at each
 * change of weight.
 */
final class VirtualSteps {
  private long weight = 1;

  /** What is carried: so many of {@link #weight} of a part, and less than one. */
  private long carried;

  /** The step that so many tokens are, which are negative where some are given back. */
  long step(long tokens, long atWeight) {
    if (atWeight != weight) {
      // Not in whole numbers: the product would not fit where a million jobs weigh the most.
      carried = (long) ((double) carried / weight * atWeight);
      weight = atWeight;
    }
    long dividend = tokens * FairDates.PARTS + carried;
    long parts = Math.floorDiv(dividend, weight);
    carried = dividend - parts * weight;
    return parts;
  }
}
