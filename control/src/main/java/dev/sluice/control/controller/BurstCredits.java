package dev.sluice.control.controller;

import dev.sluice.control.settings.Limit;
import dev.sluice.core.model.Rate;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * What those have saved whose limits let them: while they use less than their limit, up to as much
 * as their limit allows in the time that it lets them save, to be used above it. What is used is
 * heard of a cycle late, so half of what is saved may be used in a cycle, and what was used beyond
 * it is owed.
 *
 * <p>Theorem. Of whoever does no more than it was last allowed, or the time before, what is used
 * from when it is limited on is at most the limit times the time, and what may be saved.
 *
 * <p>Not thread-safe.
 */
final class BurstCredits {
  private static final double USED_IN_A_CYCLE = 0.5;

  private final double cycleSeconds;

  /** By limit, in what it counts; less than nothing where something is owed. */
  private final Map<Limit, Double> saved = new HashMap<>();

  BurstCredits(long cycleNanos) {
    this.cycleSeconds = (double) cycleNanos / Rate.NANOS_PER_SECOND;
  }

  /** Forgets what was saved under other limits than these. */
  void keep(Collection<Limit> limits) {
    saved.keySet().retainAll(limits);
  }

  /**
   * What may be used a second under a limit in the cycle that begins.
   *
   * @param usedPerSecond what was in the one before
   */
  long allowedPerSecond(Limit limit, long usedPerSecond) {
    if (limit.burstNanos() == 0) {
      return limit.perSecond();
    }
    double most = (double) limit.perSecond() * limit.burstNanos() / Rate.NANOS_PER_SECOND;
    double unused = ((double) limit.perSecond() - usedPerSecond) * cycleSeconds;
    Double before = saved.get(limit);
    double now = before == null ? 0 : Math.clamp(before + unused, -most, most);
    saved.put(limit, now);
    return Math.round(Math.max(0, limit.perSecond() + USED_IN_A_CYCLE * now / cycleSeconds));
  }
}
