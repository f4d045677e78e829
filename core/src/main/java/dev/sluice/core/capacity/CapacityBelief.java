package dev.sluice.core.capacity;

import dev.sluice.core.model.Quantities;
import java.util.Locale;
import java.util.Map;

/**
 * What is believed of a storage, and why.
 *
 * @param known whether it was ever in full use, so that anything can be said
 * @param tokensPerSecond what it is given at most, in tokens of its target with the mix of late
 * @param deliveredPerSecond what it delivered in the last five seconds in which requests waited
 * @param depth how many requests it is given at once
 * @param stretch by what requests took longer of late than in calm
 * @param calmNanos what requests of the mix of late take in calm; 0 while nobody knows
 * @param why the last thing that changed the belief, in words
 * @param sinceNanos when that was
 * @param prices by part of requests, what it costs as a multiple of what was assumed
 */
public record CapacityBelief(
    boolean known,
    double tokensPerSecond,
    double deliveredPerSecond,
    double depth,
    double stretch,
    long calmNanos,
    String why,
    long sinceNanos,
    Map<String, Double> prices) {
  private static final long SECOND = 1_000_000_000L;

  public CapacityBelief {
    prices = Map.copyOf(prices);
  }

  /**
   * For people: {@code can do about 104 MB/s, with 2.0 requests at once (why, 12 s ago)}.
   *
   * @param counted what tokens are
   */
  public String words(Quantities.Counted counted, long nowNanos) {
    String ago = Quantities.formatDuration(Math.max(0, nowNanos - sinceNanos) / SECOND * SECOND);
    if (!known) {
      return "was not in full use yet, and nobody knows what it can do";
    }
    return String.format(
        Locale.ROOT,
        "can do about %s, with %.1f requests at once (%s, %s ago)",
        Quantities.formatRate(tokensPerSecond, counted),
        depth,
        why,
        ago);
  }
}
