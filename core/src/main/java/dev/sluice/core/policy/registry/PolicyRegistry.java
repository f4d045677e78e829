package dev.sluice.core.policy.registry;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.adaptbf.AdapTbfFactory;
import dev.sluice.core.policy.baseline.FairFactory;
import dev.sluice.core.policy.baseline.NoneFactory;
import dev.sluice.core.policy.baseline.StaticFactory;
import dev.sluice.core.policy.gift.GiftFactory;
import dev.sluice.core.policy.rivals.RivalFactory;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.List;

/** The policies there are. */
public final class PolicyRegistry {
  private static final PolicyRegistry STANDARD = with(new BoundedSimplex());

  private final List<PolicyFactory> policies;

  private PolicyRegistry(List<PolicyFactory> policies) {
    this.policies = List.copyOf(policies);
  }

  /** The policies, with this to solve the linear programs of those that have some. */
  public static PolicyRegistry with(PackingSolver solver) {
    List<PolicyFactory> policies =
        new ArrayList<>(
            List.of(
                new NoneFactory(),
                new StaticFactory(),
                new FairFactory(),
                new AdapTbfFactory(),
                new GiftFactory(solver)));
    policies.addAll(RivalFactory.all(solver));
    return new PolicyRegistry(policies);
  }

  /** All of them, in the order in which to show them, with a solver of core's own. */
  public static List<PolicyFactory> all() {
    return STANDARD.policies;
  }

  /** The one with this name, with a solver of core's own. */
  public static PolicyFactory named(String name) {
    return STANDARD.policy(name);
  }

  /** The one with this name. */
  public PolicyFactory policy(String name) {
    for (PolicyFactory policy : policies) {
      if (policy.info().name().equals(name)) {
        return policy;
      }
    }
    List<String> names = policies.stream().map(policy -> policy.info().name()).toList();
    throw new IllegalArgumentException(
        "there is no policy \""
            + name
            + "\"; there are "
            + String.join(", ", names)
            + Suggestion.of(name, names));
  }
}
