package dev.sluice.gateway.control;

import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import java.util.Map;

/**
 * What somebody decided who sees more than our targets.
 *
 * @param policy by which policy
 * @param kind what carries it out
 */
record RemoteDecision(String policy, SchedulerKind kind, Map<String, Shares> shares) {
  RemoteDecision {
    shares = Map.copyOf(shares);
  }

  Shares on(String target) {
    return shares.getOrDefault(target, Shares.NONE);
  }
}
