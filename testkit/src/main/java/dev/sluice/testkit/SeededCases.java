package dev.sluice.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Runs a property on many random cases, each with a seed of its own, and names the seed of the one
 * that fails.
 *
 * <p>The seeds follow from the case's number, so a run is repeatable; {@code -Dsluice.seed=N} runs
 * only the case with that seed, {@code -Dsluice.cases=N} sets another number of cases for a longer
 * search, and {@code -Dsluice.cases.max=N} a bound on it for runs that repeat all tests often.
 */
public final class SeededCases {
  private static final long FIRST_SEED = 20_250_000L;

  private SeededCases() {}

  /** A property: throws when it does not hold for what it drew from {@code random}. */
  @FunctionalInterface
  public interface Property {
    void check(RandomGenerator random) throws Exception;
  }

  /** Checks the property on {@code count} cases; the first that fails ends it, with its seed. */
  public static void forAll(int count, Property property) {
    Long only = Long.getLong("sluice.seed");
    if (only != null) {
      check(only, property);
      return;
    }
    int most = Integer.getInteger("sluice.cases.max", Integer.MAX_VALUE);
    int cases = Math.min(Integer.getInteger("sluice.cases", count), most);
    for (int i = 0; i < cases; i++) {
      check(FIRST_SEED + i, property);
    }
  }

  private static void check(long seed, Property property) {
    try {
      property.check(new SplittableRandom(seed));
    } catch (Exception | AssertionError failure) {
      throw new AssertionError(
          "case with seed "
              + seed
              + " failed (repeat it with -Dsluice.seed="
              + seed
              + "): "
              + failure.getMessage(),
          failure);
    }
  }
}
