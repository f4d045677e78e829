package dev.sluice.core.schedule.tbf;

import dev.sluice.core.classify.FlowMatch;
import org.jspecify.annotations.Nullable;

/**
 * Limits for the requests that it matches; each job among them has its own buckets.
 *
 * @param limit how many operations or bytes
 * @param secondLimit where both count, the other; a request then needs tokens of both
 */
public record TbfRule(
    String name, FlowMatch match, TbfLimit limit, @Nullable TbfLimit secondLimit) {
  public TbfRule {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a rule has a name");
    }
  }
}
