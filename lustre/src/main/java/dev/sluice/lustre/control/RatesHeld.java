package dev.sluice.lustre.control;

import dev.sluice.lustre.tbf.RuleTable;
import dev.sluice.lustre.tbf.SeenRule;

/**
 * The rules that held during a period: commands take their time, and until they were carried out
 * the rates of the period before held.
 *
 * @param now the rules at its end
 * @param before those at its beginning
 * @param beforePart for which part of it these held
 */
record RatesHeld(RuleTable now, RuleTable before, double beforePart) {
  /** All the time. */
  static RatesHeld always(RuleTable rules) {
    return new RatesHeld(rules, rules, 0);
  }

  /** The rate of a rule that is there now, on average. */
  long rate(SeenRule rule) {
    SeenRule earlier = before.rule(rule.name());
    return earlier == null
        ? rule.rate()
        : Math.max(1, Math.round(beforePart * earlier.rate() + (1 - beforePart) * rule.rate()));
  }
}
