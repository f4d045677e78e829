package dev.sluice.gateway.config;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;

/**
 * A shared resource behind exports.
 *
 * @param capacityKnown false until somebody has measured it: the target's capacity then only stands
 *     for "more than anybody asks for"
 * @param workers threads that serve what had to wait
 * @param paced whether requests are held to the capacity, so that they queue here, where jobs are
 *     told apart, and not behind the gateway, where they are not
 */
public record TargetConfiguration(
    Target target, boolean capacityKnown, int workers, boolean paced) {
  /** What an operation weighs where nobody knows: as much as this many bytes. */
  private static final long OPERATION_BYTES_ASSUMED = 16 << 10;

  /** A target of which nobody knows what it can do. */
  static Target unmeasured(String name) {
    return new Target(name, Rate.TOKENS_PER_SECOND_MAX, new TokenUnit(OPERATION_BYTES_ASSUMED, 1));
  }

  public String name() {
    return target.name();
  }

  /** For people: {@code 500 MB/s}, {@code 500 MB/s and 20 kops/s}, {@code not measured}. */
  public String capacityText() {
    return capacityKnown ? capacityText(target) : "not measured";
  }

  /** For people: {@code 500 MB/s}, or {@code 500 MB/s and 20 kops/s}. */
  public static String capacityText(Target target) {
    TokenUnit unit = target.unit();
    double perSecond = (double) target.tokensPerSecond();
    if (unit.equals(TokenUnit.OPERATIONS)) {
      return Quantities.formatRate(perSecond, Quantities.Counted.OPERATIONS);
    }
    String bandwidth = Quantities.formatRate(perSecond, Quantities.Counted.BYTES);
    if (unit.tokensPerOperation() == 0) {
      return bandwidth;
    }
    double operations = perSecond / unit.tokensPerOperation();
    return bandwidth + " and " + Quantities.formatRate(operations, Quantities.Counted.OPERATIONS);
  }
}
