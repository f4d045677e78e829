package dev.sluice.lustre.tbf;

/**
 * What is written to {@code nrs_tbf_rule}.
 *
 * <p>Rules are for regular requests only. High-priority requests are those that others wait for,
 * such as of clients that must give up a lock; to hold them back would harm the others.
 */
public sealed interface RuleCommand {
  String name();

  /** The text of it. */
  String text();

  /**
   * A new rule.
   *
   * @param pattern which job
   * @param before the rule that it goes in front of: what others wrote stays in front of it
   */
  record Start(String name, JobPattern pattern, long rate, String before) implements RuleCommand {
    public Start {
      if (!RuleName.isName(name)) {
        throw new IllegalArgumentException("\"" + name + "\" is no name of a rule");
      }
      if (rate < 1) {
        throw new IllegalArgumentException(name + ": a rate is at least 1, not " + rate);
      }
    }

    @Override
    public String text() {
      return "reg start " + name + " " + pattern.expression() + " rate=" + rate + " rank=" + before;
    }
  }

  /** Another rate. */
  record Change(String name, long rate) implements RuleCommand {
    @Override
    public String text() {
      return "reg change " + name + " rate=" + rate;
    }
  }

  /** No rule any more. */
  record Stop(String name) implements RuleCommand {
    @Override
    public String text() {
      return "reg stop " + name;
    }
  }
}
