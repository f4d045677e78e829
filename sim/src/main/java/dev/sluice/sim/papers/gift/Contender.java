package dev.sluice.sim.papers.gift;

import java.util.List;
import java.util.Map;

/**
 * A policy with its settings.
 *
 * @param name as tables and pictures call it
 */
record Contender(String name, String policy, Map<String, String> settings) {
  /** What everything is compared with. */
  static final Contender POFS = of("pofs");

  static final Contender MAXMIN = of("maxmin");
  static final Contender GIFT = of("gift");
  static final Contender GIFT_NET = new Contender("gift net", "gift", Map.of("objective", "net"));
  static final Contender BSIP = of("bsip");
  static final Contender MBW = of("mbw");

  /** Those that a simple rule tells whom to throttle. */
  static final List<Contender> BY_RULE = List.of(of("tsa"), of("esa"), of("tmf"), of("rnd"));

  /** All, in the order in which they are shown. */
  static final List<Contender> ALL =
      List.of(
          POFS,
          BSIP,
          MAXMIN,
          GIFT,
          GIFT_NET,
          MBW,
          BY_RULE.get(0),
          BY_RULE.get(1),
          BY_RULE.get(2),
          BY_RULE.get(3));

  /** Those of the paper that GIFT is held against. */
  static final List<Contender> RIVALS =
      List.of(BSIP, MBW, BY_RULE.get(0), BY_RULE.get(1), BY_RULE.get(2), BY_RULE.get(3));

  private static Contender of(String policy) {
    return new Contender(policy, policy, Map.of());
  }

  /** GIFT with one parameter changed. */
  static Contender gift(String parameter, String value) {
    return new Contender("gift " + parameter + "=" + value, "gift", Map.of(parameter, value));
  }
}
