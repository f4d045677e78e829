package dev.sluice.core.policy.registry;

import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.adaptbf.AdapTbfFactory;
import dev.sluice.core.policy.baseline.FairFactory;
import dev.sluice.core.policy.baseline.NoneFactory;
import dev.sluice.core.policy.baseline.StaticFactory;
import dev.sluice.core.policy.gift.GiftFactory;
import dev.sluice.core.policy.iosets.IoSetsFactory;
import dev.sluice.core.policy.padll.PadllFactory;
import dev.sluice.core.policy.rivals.RivalFactory;
import dev.sluice.core.policy.sdqpro.SdqProFactory;
import dev.sluice.core.policy.sojourn.SojournAllFactory;
import dev.sluice.core.policy.sojourn.SojournFactory;
import dev.sluice.core.policy.themis.ThemisFactory;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.List;

/** The policies there are. */
public final class PolicyRegistry {
  /** The policy that a gateway's new configuration names, unless there are reasons for another. */
  public static final String OF_NEW_CONFIGURATIONS = "sojourn";

  /**
   * The policy of a gateway whose configuration names none. It is not that of new ones: who never
   * chose keeps what it has, whatever version comes, and it needs no capacity and remembers
   * nothing, which is what is wanted while a controller that decides cannot be heard.
   */
  public static final String WHERE_NONE_IS_NAMED = "fair";

  private static final PolicyRegistry STANDARD = with(PackingSolvers.BUILT_IN);

  private final List<PolicyFactory> policies;

  private PolicyRegistry(List<PolicyFactory> policies) {
    this.policies = List.copyOf(policies);
  }

  /** The policies, with these to solve the linear programs of those that have some. */
  public static PolicyRegistry with(PackingSolvers solvers) {
    List<PolicyFactory> policies =
        new ArrayList<>(
            List.of(
                new NoneFactory(),
                new StaticFactory(),
                new FairFactory(),
                new AdapTbfFactory(),
                new IoSetsFactory(),
                new SdqProFactory(),
                new GiftFactory(solvers)));
    policies.addAll(RivalFactory.all(solvers));
    policies.addAll(PadllFactory.all());
    policies.add(new ThemisFactory());
    policies.add(new SojournFactory());
    policies.add(new SojournAllFactory());
    return new PolicyRegistry(policies);
  }

  /** The policies with the solver that is built in. */
  public static PolicyRegistry standard() {
    return STANDARD;
  }

  /** All of them, in the order in which to show them, with the solver that is built in. */
  public static List<PolicyFactory> all() {
    return STANDARD.policies;
  }

  /** The one with this name, with the solver that is built in. */
  public static PolicyFactory named(String name) {
    return STANDARD.policy(name);
  }

  /** All of them, in the order in which to show them. */
  public List<PolicyFactory> policies() {
    return policies;
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
