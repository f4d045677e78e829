package dev.sluice.gateway.target;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.Target;
import org.jspecify.annotations.Nullable;

/**
 * How a target is served.
 *
 * @param paced whether requests are handed out no faster than the target's capacity: what waits
 *     then waits here, where it is ordered, and not in the storage
 * @param workers how many requests are served at the same time, at most
 * @param found within what bounds its capacity is found out; null where it was told
 */
public record TargetSettings(
    Target target, boolean paced, int workers, @Nullable CapacityBounds found) {
  /** More threads than any storage is faster with. */
  public static final int WORKERS_MAX = 1_024;

  /** A target whose capacity was told. */
  public TargetSettings(Target target, boolean paced, int workers) {
    this(target, paced, workers, null);
  }

  public TargetSettings {
    if (workers < 1 || workers > WORKERS_MAX) {
      throw new IllegalArgumentException(
          "target " + target.name() + ": workers must be 1 to " + WORKERS_MAX + ", not " + workers);
    }
  }
}
