package dev.sluice.core.policy.rivals;

import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.rivals.RuleThrottling.State;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;

/** The rules by which the paper's simple rivals choose whom to throttle. */
enum VictimRule {
  SMALL("jobs with no more nodes than the average may be throttled"),
  LARGE("jobs with more nodes than the average may be throttled"),
  FREQUENT("applications that appeared more often than the average may be throttled"),
  RANDOM("a coin says for each job whether it may be throttled"),
  /** With a throttle part of 1: bandwidth and nothing else. */
  EVERYBODY("everybody may be throttled to nothing");

  private final String words;

  VictimRule(String words) {
    this.words = words;
  }

  /** Whether it goes by what happened before. */
  boolean remembers() {
    return this == FREQUENT || this == RANDOM;
  }

  /**
   * The rule at work.
   *
   * @param seed for the coin
   */
  RuleThrottling.Victims victims(long seed) {
    return new RuleThrottling.Victims() {
      @Override
      public boolean[] choose(JobsOnTargets on, State state) {
        return VictimRule.this.choose(on, state, seed);
      }

      @Override
      public String words() {
        return words;
      }
    };
  }

  private boolean[] choose(JobsOnTargets on, State state, long seed) {
    boolean[] chosen = new boolean[on.jobs()];
    switch (this) {
      case SMALL -> aboveAverage(on::nodes, false, chosen);
      case LARGE -> aboveAverage(on::nodes, true, chosen);
      case FREQUENT -> aboveAverage(i -> state.appearances().of(on.application(i)), true, chosen);
      case RANDOM -> {
        SplittableRandom coin = new SplittableRandom(seed ^ Long.rotateLeft(state.decisions(), 32));
        for (int i = 0; i < chosen.length; i++) {
          chosen[i] = coin.nextBoolean();
        }
      }
      case EVERYBODY -> Arrays.fill(chosen, true);
    }
    return chosen;
  }

  /** Chooses those with more than the average, or the others. */
  private static void aboveAverage(IntToLongFunction of, boolean more, boolean[] chosen) {
    double sum = 0;
    for (int i = 0; i < chosen.length; i++) {
      sum += of.applyAsLong(i);
    }
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = (double) of.applyAsLong(i) * chosen.length > sum == more;
    }
  }
}
