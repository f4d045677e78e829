package dev.sluice.gateway.config;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.PolicyInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a policy that divides capacities can add them up. */
public final class CapacityNeed {
  private CapacityNeed() {}

  /** Why the policy cannot run on these targets, in words; null when it can. */
  public static @Nullable String problem(PolicyChoice policy, List<TargetConfiguration> targets) {
    if (!policy.info().needs().contains(PolicyInfo.Need.CAPACITY)) {
      return null;
    }
    return policy.info().scope() == PolicyInfo.Scope.ALL_TARGETS ? mixture(policy, targets) : null;
  }

  private static @Nullable String mixture(PolicyChoice policy, List<TargetConfiguration> targets) {
    List<String> operations =
        targets.stream()
            .filter(target -> target.target().unit().equals(TokenUnit.OPERATIONS))
            .map(TargetConfiguration::name)
            .toList();
    return operations.isEmpty() || operations.size() == targets.size()
        ? null
        : "policy "
            + policy.info().name()
            + " gives a job the same rate on all its targets, so all must have a bandwidth or none;"
            + " target "
            + String.join(", ", operations)
            + " counts operations alone";
  }
}
