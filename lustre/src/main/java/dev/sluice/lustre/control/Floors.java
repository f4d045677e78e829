package dev.sluice.lustre.control;

/** Raises what is too little, at the cost of those that have more. */
final class Floors {
  private Floors() {}

  /**
   * Raises amounts to a floor, and lowers the others in proportion to what they have above it.
   *
   * <p>Theorem. The sum stays what it was, unless it was less than {@code budget}: then it is at
   * most that. No amount is below the floor, which is at most {@code floor} and such that all of
   * them together fit the sum; none that was above it gains.
   *
   * @return the floor
   */
  static double raise(double[] amounts, double floor, double budget) {
    double sum = 0;
    for (double amount : amounts) {
      sum += amount;
    }
    double room = Math.max(sum, budget);
    double least = amounts.length == 0 ? floor : Math.min(floor, room / amounts.length);
    double raised = 0;
    double above = 0;
    for (double amount : amounts) {
      raised += Math.max(amount, least);
      above += Math.max(0, amount - least);
    }
    double kept = above == 0 ? 1 : Math.clamp(1 - (raised - room) / above, 0, 1);
    for (int i = 0; i < amounts.length; i++) {
      amounts[i] = least + kept * Math.max(0, amounts[i] - least);
    }
    return least;
  }
}
