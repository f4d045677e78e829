package dev.sluice.core.policy.sdqpro;

/**
 * Random numbers that follow from a seed (SplitMix64: Steele, Lea and Flood, 2014). A policy keeps
 * the state of one from each decision to the next, so that equal histories are decided equally.
 */
final class SplitMix {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  SplitMix(long state) {
    this.state = state;
  }

  /** What the numbers to come follow from. */
  long state() {
    return state;
  }

  /** A number from 0 to below the bound, which is at most 2^31. */
  int below(int bound) {
    state += GOLDEN_GAMMA;
    long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    mixed ^= mixed >>> 31;
    return (int) (((mixed >>> 32) * bound) >>> 32);
  }
}
