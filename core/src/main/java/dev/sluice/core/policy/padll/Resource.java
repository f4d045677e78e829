package dev.sluice.core.policy.padll;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;

/**
 * Something that a storage system can serve only so much of: operations of one type or class, or
 * the bytes that they move.
 *
 * @param name what is meant, as people write limits: {@code getattr}, {@code metadata}, {@code
 *     data}; several resources are divided independently of each other
 * @param maximumPerSecond Max_R in the paper: what all jobs together may have
 * @param counted what is counted
 */
public record Resource(String name, long maximumPerSecond, Counted counted) {
  public Resource {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a resource has a name");
    }
    if (maximumPerSecond < 1 || maximumPerSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          "resource "
              + name
              + ": its maximum must be 1 to "
              + Rate.TOKENS_PER_SECOND_MAX
              + " a second, not "
              + maximumPerSecond);
    }
  }

  /** So much of it a second, as people write it. */
  String rate(double perSecond) {
    return Quantities.formatRate(perSecond, counted);
  }
}
