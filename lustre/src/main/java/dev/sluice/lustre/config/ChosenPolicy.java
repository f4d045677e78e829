package dev.sluice.lustre.config;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.Map;
import java.util.Set;

/**
 * The policy that decides, and what was set of its parameters.
 *
 * @param settings only what was given; the rest has its defaults
 */
public record ChosenPolicy(PolicyFactory factory, Map<String, String> settings) {
  /** What a filter can carry out: rates as they are, weights as rates, and no limits at all. */
  private static final Set<SchedulerKind> CARRIED_OUT =
      Set.of(SchedulerKind.TBF, SchedulerKind.FAIR, SchedulerKind.FIFO);

  public ChosenPolicy {
    settings = Map.copyOf(settings);
  }

  /**
   * The policy with this name.
   *
   * @throws IllegalArgumentException for what there is not, for bad values, and for a policy that
   *     decides about an order, which a filter cannot keep
   */
  static ChosenPolicy of(String name, Map<String, String> settings) {
    PolicyFactory factory = PolicyRegistry.named(name);
    if (!CARRIED_OUT.contains(factory.info().scheduler())) {
      throw new IllegalArgumentException(
          "policy "
              + name
              + " says whose turn it is, and Lustre's filter knows only rates: expected a policy"
              + " that gives rates or weights, such as adaptbf, fair or sojourn-all");
    }
    ChosenPolicy chosen = new ChosenPolicy(factory, settings);
    chosen.create();
    return chosen;
  }

  public PolicyInfo info() {
    return factory.info();
  }

  /** The policy, new. */
  public Policy<?> create() {
    return factory.create(new Settings(factory.info(), settings));
  }
}
