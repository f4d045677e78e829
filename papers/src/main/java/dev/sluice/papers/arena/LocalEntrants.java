package dev.sluice.papers.arena;

import java.util.ArrayList;
import java.util.List;

/**
 * The policies that order or limit requests on each target. GIFT's rivals but for max-min filling,
 * and PADLL's but for PSFA, take part in their own papers' contests only.
 */
public final class LocalEntrants {
  private static final List<String> POLICIES =
      List.of(
          "none", "static", "fair", "adaptbf", "iosets", "sdqpro", "maxmin", "gift", "psfa",
          "themis");

  private LocalEntrants() {}

  /** All of them as they are, and ours. */
  public static List<Entrant> all() {
    List<Entrant> entrants = new ArrayList<>();
    POLICIES.forEach(policy -> entrants.add(Entrant.of(policy)));
    entrants.add(Entrant.of(Entrant.OURS));
    return entrants;
  }
}
