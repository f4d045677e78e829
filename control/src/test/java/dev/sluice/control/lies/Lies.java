package dev.sluice.control.lies;

import java.util.random.RandomGenerator;

/** What a member says that has a valid key and says what it likes. */
public final class Lies {
  /** One in so many is what ends a call, so that calls last for a while. */
  private static final int RECKLESS_ONE_IN = 30;

  private final RandomGenerator random;
  private final boolean reckless;

  public Lies(RandomGenerator random) {
    this.random = random;
    this.reckless = random.nextBoolean();
  }

  /** Whether it now says what cannot be. Some do so now and then, others never. */
  public boolean isReckless() {
    return reckless && random.nextInt(RECKLESS_ONE_IN) == 0;
  }

  /** Anything that can be: nothing, one, the most, something in between. */
  public long upTo(long most) {
    return Habit.ANYTHING.lie(most, random);
  }

  /** The same, and now and then what cannot be. */
  public long upTo(long most, long impossible) {
    return isReckless() ? impossible : upTo(most);
  }
}
