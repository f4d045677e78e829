package dev.sluice.gateway.config;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import org.jspecify.annotations.Nullable;

/**
 * A shared resource behind exports.
 *
 * @param found within what bounds its capacity is found out while it is used, and the target's own
 *     only stands for "more than anybody asks for"; null where the capacity is written
 * @param workers threads that serve what had to wait
 * @param paced whether requests are held to the capacity, so that they queue here, where jobs are
 *     told apart, and not behind the gateway, where they are not
 */
public record TargetConfiguration(
    Target target, @Nullable CapacityBounds found, int workers, boolean paced) {
  /** What an operation weighs where nobody knows: as much as this many bytes. */
  private static final long OPERATION_BYTES_ASSUMED = 16 << 10;

  /** How many threads serve a target where nobody has said. */
  private static final int WORKERS = 8;

  /** The same where how many are of use is found out: more than most storages are faster with. */
  private static final int WORKERS_FOUND = 64;

  static int workersUnsaid(boolean found) {
    return found ? WORKERS_FOUND : WORKERS;
  }

  /** A target of which nobody has said what it can do. */
  static Target unsaid(String name) {
    return new Target(name, Rate.TOKENS_PER_SECOND_MAX, new TokenUnit(OPERATION_BYTES_ASSUMED, 1));
  }

  public String name() {
    return target.name();
  }

  /** For people: {@code 500 MB/s}, {@code 500 MB/s and 20 kops/s}, {@code found out (auto)}. */
  public String capacityText() {
    return found == null ? capacityText(target) : "found out (auto)";
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
