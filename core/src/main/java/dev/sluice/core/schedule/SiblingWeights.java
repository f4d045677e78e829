package dev.sluice.core.schedule;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What groups side by side weigh, as whole numbers that are to each other as their shares.
 *
 * @param weights by name; whoever is not named has one share
 * @param ofOneShare what one share weighs; no whole number where there are more shares than a
 *     weight can count
 */
public record SiblingWeights(Map<String, Long> weights, double ofOneShare) {
  /** One share each, which weighs 1. */
  static final SiblingWeights EQUAL = new SiblingWeights(Map.of(), 1);

  /**
   * What one share weighs at most, so that who has none at all comes a thousandth of it: it is
   * served last, and still served.
   */
  private static final long OF_ONE_SHARE_MAX = 1_000;

  public SiblingWeights {
    weights = Map.copyOf(weights);
  }

  /**
   * Whole weights for these shares. Whole shares that a weight can count are kept exactly.
   *
   * @param mostSaid the largest number of shares that somebody is said to have besides
   */
  static SiblingWeights of(Map<String, Double> shares, long mostSaid) {
    double most = Math.max(1, mostSaid);
    for (double share : shares.values()) {
      most = Math.max(most, share);
    }
    double fitting = ShareTree.WEIGHT_MAX / most;
    double ofOne = fitting < 1 ? fitting : Math.min(OF_ONE_SHARE_MAX, Math.floor(fitting));
    Map<String, Long> weights = HashMap.newHashMap(shares.size());
    shares.forEach((name, share) -> weights.put(name, whole(share * ofOne)));
    return new SiblingWeights(weights, ofOne);
  }

  private static long whole(double weight) {
    return Math.clamp(Math.round(weight), 1, ShareTree.WEIGHT_MAX);
  }

  /**
   * What one of them weighs.
   *
   * @param said how many shares somebody said it has, which counts for more; null where nobody did
   */
  long weight(String name, @Nullable Long said) {
    if (said != null) {
      return whole(said * ofOneShare);
    }
    Long weight = weights.get(name);
    return weight == null ? whole(ofOneShare) : weight;
  }
}
