package dev.sluice.core.model;

/**
 * So many tokens in so much time, kept as the two whole numbers it was given as: 7 tokens in 300 ms
 * stay exactly that, where 23 a second would be wrong by 1.4 %, and 2 tokens in 3 s stay two thirds
 * of a token a second, where whole tokens a second would be none.
 *
 * @param periodNanos from 1 ns to 31 years: what has no whole number of tokens in a period has one
 *     in a thousand or a million periods
 */
public record Rate(long tokens, long periodNanos) {
  public static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** The longest time in which tokens are counted. */
  public static final long PERIOD_NANOS_MAX = 1_000_000_000_000_000_000L;

  /** A terabyte a second and a little more. */
  public static final long TOKENS_PER_SECOND_MAX = 2_000_000_000_000L;

  /** As much as is asked for. */
  public static final Rate UNLIMITED = new Rate(Long.MAX_VALUE, 1);

  public Rate {
    boolean unlimited = tokens == Long.MAX_VALUE && periodNanos == 1;
    if (periodNanos < 1 || periodNanos > PERIOD_NANOS_MAX) {
      throw new IllegalArgumentException(
          "a rate's period must be 1 to " + PERIOD_NANOS_MAX + " ns: " + periodNanos);
    }
    if (!unlimited
        && (tokens < 0
            || (double) tokens * NANOS_PER_SECOND / periodNanos > TOKENS_PER_SECOND_MAX)) {
      throw new IllegalArgumentException(
          "a rate must be 0 to "
              + TOKENS_PER_SECOND_MAX
              + " tokens/s: "
              + tokens
              + " in "
              + periodNanos
              + " ns");
    }
  }

  public static Rate perSecond(long tokens) {
    return new Rate(tokens, NANOS_PER_SECOND);
  }

  public boolean isUnlimited() {
    return tokens == Long.MAX_VALUE;
  }
}
