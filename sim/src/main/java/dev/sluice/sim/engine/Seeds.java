package dev.sluice.sim.engine;

import java.util.SplittableRandom;

/**
 * Random draws by name: each process and target has a source of its own that follows from the run's
 * seed and its name, so that one more job changes nothing about what the others draw.
 */
public final class Seeds {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private Seeds() {}

  /** The source of random numbers of whoever has this name. */
  public static SplittableRandom random(long seed, String name) {
    return new SplittableRandom(named(seed, name));
  }

  /** The seed of whoever has this name. */
  public static long named(long seed, String name) {
    long hash = mix(seed + GOLDEN_GAMMA);
    for (int i = 0; i < name.length(); i++) {
      hash = mix(hash + GOLDEN_GAMMA * (name.charAt(i) + 1));
    }
    return hash;
  }

  /** A number from 0 to below 1 that follows from a seed and an index, in any order. */
  public static double uniform(long seed, long index) {
    return (mix(seed + GOLDEN_GAMMA * (index + 1)) >>> 11) * DOUBLE_UNIT;
  }

  /** A duration, longer or shorter by up to the {@code deviation}-th part of it. */
  public static long around(long nanos, double deviation, double uniform) {
    return Math.max(0, Math.round(nanos * (1 + deviation * (2 * uniform - 1))));
  }

  /** Spreads every bit of the input over all bits of the output. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
