package dev.sluice.papers.arena;

import java.util.Map;

/**
 * A policy that takes part in a contest.
 *
 * @param title what tables call it
 * @param settings where they are not the default
 */
public record Entrant(String title, String policy, Map<String, String> settings) {
  /** Our own, as it is called everywhere. */
  public static final String OURS = "sojourn";

  public Entrant {
    settings = Map.copyOf(settings);
  }

  /** A policy as it is. */
  public static Entrant of(String policy) {
    return new Entrant(policy, policy, Map.of());
  }

  /** A policy with one setting. */
  public static Entrant of(String title, String policy, String setting, String value) {
    return new Entrant(title, policy, Map.of(setting, value));
  }
}
