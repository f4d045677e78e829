package dev.sluice.lustre.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.capacity.ServiceCapacity;
import dev.sluice.core.capacity.ServicePeriod;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.lustre.config.LustreConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * What a service is given: as much as its configuration says, or what is found out. Not
 * thread-safe.
 */
final class GivenCapacity {
  private final String name;
  private final long toldPerSecond;

  /** Null where nothing is found out. */
  private final @Nullable ServiceCapacity found;

  private boolean crowded;
  private double servedPerSecond = 1;

  GivenCapacity(LustreConfiguration configuration, long nowNanos) {
    this.name = configuration.target().name();
    this.toldPerSecond = configuration.capacityPerSecond();
    this.found =
        configuration.bounds() == null
            ? null
            : new ServiceCapacity(configuration.bounds(), nowNanos);
  }

  /** Goes on from what was known before a restart. */
  void remember(CapacityMemory.Known known, long nowNanos) {
    if (found != null) {
      found.remember(known.perSecond(), known.calmNanos(), nowNanos);
    }
  }

  /** Requests a second, for the period that begins. */
  double perSecond() {
    return (double) (found == null ? toldPerSecond : found.perSecond());
  }

  /** Whether nobody is to be limited, because nobody knows what the service can do. */
  boolean isOpen() {
    return found != null && found.isOpen();
  }

  /** Whether requests queued behind the filter in the last period. */
  boolean isCrowded() {
    return crowded;
  }

  /** Whether rates are to be written exactly, because they were too much. */
  boolean isExact() {
    return found != null && found.isLowered();
  }

  /**
   * What policies divide. While nobody knows what the service can do that is what it serves: what
   * is decided then holds nobody back, but some policies remember who lent to whom.
   */
  Target divided() {
    double perSecond = isOpen() ? servedPerSecond : perSecond();
    return new Target(name, Math.max(1, Math.round(perSecond)), TokenUnit.OPERATIONS);
  }

  /** What is believed; null where nothing is found out. */
  @Nullable CapacityBelief belief() {
    return found == null ? null : found.belief();
  }

  /** A period is over in which so many requests were served. */
  void observe(double served, QueueFacts queue, boolean heldBack, long periodNanos, long nowNanos) {
    if (found == null) {
      return;
    }
    servedPerSecond = served * 1e9 / periodNanos;
    if (queue.saysInService()) {
      found.observe(
          new ServicePeriod(served, queue.inService(), queue.waiting(), heldBack, periodNanos),
          nowNanos);
      crowded = found.isCrowded();
    }
  }
}
