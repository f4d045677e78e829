package dev.sluice.gateway.config;

import dev.sluice.core.policy.PolicyInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a policy that divides capacities is told of them all. */
public final class CapacityNeed {
  private CapacityNeed() {}

  /** Why the policy cannot run on these targets, in words; null when it can. */
  public static @Nullable String problem(PolicyChoice policy, List<TargetConfiguration> targets) {
    if (!policy.info().needs().contains(PolicyInfo.Need.CAPACITY)) {
      return null;
    }
    List<String> unknown =
        targets.stream()
            .filter(target -> !target.capacityKnown())
            .map(TargetConfiguration::name)
            .toList();
    return unknown.isEmpty()
        ? null
        : "policy "
            + policy.info().name()
            + " needs to know the capacity of target "
            + String.join(", ", unknown)
            + "; run ./sluice calibrate DIRECTORY and put the lines it prints in place of"
            + " \"measure\", or choose a policy such as fair that needs none";
  }
}
