package dev.sluice.gateway.config;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A policy, how often it decides, and what was set of its parameters.
 *
 * @param settings only what was given; the rest has its defaults
 */
public record PolicyChoice(PolicyFactory factory, long periodNanos, Map<String, String> settings) {
  /** A decision costs something, and a period must last longer than that. */
  private static final long PERIOD_NANOS_MIN = 1_000_000;

  private static final String PERIOD = "period";

  public PolicyChoice {
    settings = Map.copyOf(settings);
  }

  /** The policy with this name, with the solver that is built in. */
  public static PolicyChoice of(String name, Map<String, String> given) {
    return of(PolicyRegistry.standard(), name, given);
  }

  /**
   * The policy with this name.
   *
   * @param given values for its parameters, and for {@code period}
   * @throws IllegalArgumentException for what there is not, and for bad values
   */
  public static PolicyChoice of(PolicyRegistry registry, String name, Map<String, String> given) {
    PolicyFactory factory = registry.policy(name);
    Map<String, String> settings = new LinkedHashMap<>(given);
    String period = settings.remove(PERIOD);
    PolicyChoice choice =
        new PolicyChoice(
            factory, period == null ? factory.info().periodNanos() : periodNanos(period), settings);
    choice.create();
    return choice;
  }

  private static long periodNanos(String text) {
    long nanos;
    try {
      nanos = Quantities.parseDurationNanos(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("period=" + text + ": " + e.getMessage(), e);
    }
    if (nanos < PERIOD_NANOS_MIN || nanos > Observation.PERIOD_NANOS_MAX) {
      throw new IllegalArgumentException(
          "period=" + text + ": expected a duration from 1 ms to 1 h");
    }
    return nanos;
  }

  public PolicyInfo info() {
    return factory.info();
  }

  /** The policy, new. */
  public Policy<?> create() {
    return factory.create(new Settings(factory.info(), settings));
  }
}
