package dev.sluice.papers.gift;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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

  private static final List<String> RULES = List.of("tsa", "esa", "tmf", "rnd");

  /** Those that a simple rule tells whom to throttle, as the paper's authors built them. */
  static final List<Contender> BY_RULE =
      RULES.stream().map(name -> new Contender(name, name, Map.of("growth", "alike"))).toList();

  /** The same rules with GIFT's linear program, which the paper has not. */
  static final List<Contender> BY_RULE_AND_PROGRAM =
      RULES.stream().map(name -> new Contender(name + " with LP", name, Map.of())).toList();

  /** All, in the order in which they are shown. */
  static final List<Contender> ALL =
      Stream.of(List.of(POFS, BSIP, MAXMIN, GIFT, GIFT_NET, MBW), BY_RULE, BY_RULE_AND_PROGRAM)
          .flatMap(List::stream)
          .toList();

  private static Contender of(String policy) {
    return new Contender(policy, policy, Map.of());
  }

  /** Its settings, with nothing done between decisions. */
  Map<String, String> asInThePaper() {
    Map<String, String> all = new HashMap<>(settings);
    all.put("lending", "0 s");
    return all;
  }

  /** GIFT with one parameter changed. */
  static Contender gift(String parameter, String value) {
    return new Contender("gift " + parameter + "=" + value, "gift", Map.of(parameter, value));
  }
}
