package dev.sluice.core.policy;

import dev.sluice.core.schedule.Shares;
import java.util.Map;

/** What each target's scheduler is to be given until the next decision, by target name. */
public record Allocation(Map<String, Shares> targets) {
  /** Nobody is limited anywhere. */
  public static final Allocation NONE = new Allocation(Map.of());

  public Allocation {
    targets = Map.copyOf(targets);
  }

  /** The shares on this target; nobody is listed on a target that was not decided about. */
  public Shares on(String target) {
    return targets.getOrDefault(target, Shares.NONE);
  }
}
