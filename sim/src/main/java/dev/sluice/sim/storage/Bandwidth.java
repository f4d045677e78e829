package dev.sluice.sim.storage;

import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.TargetSpec;

/**
 * How fast a target's device is at an instant. Where that varies, it follows from the time alone,
 * so that a busy target and an idle one draw alike.
 */
public final class Bandwidth {
  private final TargetSpec spec;
  private final long seed;

  /**
   * @param seed the run's seed
   */
  public Bandwidth(TargetSpec spec, long seed) {
    this.spec = spec;
    this.seed = Seeds.named(seed, "target " + spec.name());
  }

  public long bytesPerSecond(long atNanos) {
    TargetSpec.Variability variability = spec.variability();
    if (variability == null) {
      return spec.bytesPerSecond();
    }
    double uniform = Seeds.uniform(seed, atNanos / variability.everyNanos());
    double factor = 1 + variability.deviation() * (2 * uniform - 1);
    return Math.max(1, Math.round(spec.bytesPerSecond() * factor));
  }
}
