package dev.sluice.core.policy.registry;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.adaptbf.AdapTbfFactory;
import dev.sluice.core.policy.baseline.FairFactory;
import dev.sluice.core.policy.baseline.NoneFactory;
import dev.sluice.core.policy.baseline.StaticFactory;
import dev.sluice.core.text.Suggestion;
import java.util.List;

/** The policies there are. */
public final class PolicyRegistry {
  private static final List<PolicyFactory> POLICIES =
      List.of(new NoneFactory(), new StaticFactory(), new FairFactory(), new AdapTbfFactory());

  private PolicyRegistry() {}

  /** All of them, in the order in which to show them. */
  public static List<PolicyFactory> all() {
    return POLICIES;
  }

  /** The one with this name. */
  public static PolicyFactory named(String name) {
    for (PolicyFactory policy : POLICIES) {
      if (policy.info().name().equals(name)) {
        return policy;
      }
    }
    List<String> names = POLICIES.stream().map(policy -> policy.info().name()).toList();
    throw new IllegalArgumentException(
        "there is no policy \""
            + name
            + "\"; there are "
            + String.join(", ", names)
            + Suggestion.of(name, names));
  }
}
