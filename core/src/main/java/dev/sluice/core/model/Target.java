package dev.sluice.core.model;

/**
 * One shared resource with a capacity: an OST, an MDT, an export's disk.
 *
 * @param tokensPerSecond what it can serve
 * @param unit what a token stands for here
 */
public record Target(String name, long tokensPerSecond, TokenUnit unit) {
  public Target {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a target has a name");
    }
    if (tokensPerSecond < 1 || tokensPerSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          "a target's capacity must be 1 to "
              + Rate.TOKENS_PER_SECOND_MAX
              + " tokens/s, not "
              + tokensPerSecond);
    }
  }
}
