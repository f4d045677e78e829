package dev.sluice.control.lies;

import java.util.random.RandomGenerator;

/** How a liar goes about one of the numbers that it says. */
public enum Habit {
  NOTHING,
  A_LITTLE,
  ALL,
  ANYTHING;

  public static Habit any(RandomGenerator random) {
    return values()[random.nextInt(values().length)];
  }

  /** A lie between nothing and the most that can be. */
  public long lie(long most, RandomGenerator random) {
    return switch (this) {
      case NOTHING -> 0;
      case A_LITTLE -> Math.min(1, most);
      case ALL -> most;
      case ANYTHING ->
          random.nextBoolean() ? random.nextLong(most + 1) : any(random).lie(most, random);
    };
  }
}
