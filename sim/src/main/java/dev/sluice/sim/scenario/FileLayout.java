package dev.sluice.sim.scenario;

import java.util.List;

/**
 * How a file lies on targets.
 *
 * @param stripeCount how many targets it is spread over
 * @param stripeBytes how much goes to one of them before the next
 * @param targets for {@link Placement#GIVEN}, which; the file uses the first {@code stripeCount}
 */
public record FileLayout(
    Placement placement, int stripeCount, long stripeBytes, List<String> targets) {
  public FileLayout {
    targets = List.copyOf(targets);
  }

  /** How the targets of a new file are chosen. */
  public enum Placement {
    /** The next ones in turn. */
    ROUND_ROBIN,
    /** Those with the least data per bandwidth so far. */
    CAPACITY_BALANCED,
    /** As written. */
    GIVEN
  }
}
