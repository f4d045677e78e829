package dev.sluice.papers;

import dev.sluice.sim.scenario.Scenario;
import java.util.Map;

/**
 * A scenario to be run under a policy.
 *
 * @param settings of the policy, where they are not the default
 */
public record Trial(String name, Scenario scenario, String policy, Map<String, String> settings) {
  public Trial {
    settings = Map.copyOf(settings);
  }

  /** Under a policy as it is. */
  public Trial(String name, Scenario scenario, String policy) {
    this(name, scenario, policy, Map.of());
  }
}
