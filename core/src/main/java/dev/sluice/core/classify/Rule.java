package dev.sluice.core.classify;

import java.util.regex.Pattern;

/**
 * One line of a rule set: which requests, which job is charged for them, and in which traffic class
 * they go.
 */
public record Rule(String name, FlowMatch match, JobTemplate job, String trafficClass) {
  /** A bound on the names of rules and of traffic classes. */
  public static final int NAME_LENGTH_MAX = 64;

  static final String NAME_EXPECTED =
      "1 to " + NAME_LENGTH_MAX + " letters A to Z or a to z, digits, \"_\" or \"-\"";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1," + NAME_LENGTH_MAX + "}");

  public Rule {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          RuleReader.shown(name) + ": expected a rule name of " + NAME_EXPECTED);
    }
    if (!isName(trafficClass)) {
      throw new IllegalArgumentException(
          RuleReader.shown(trafficClass) + ": expected a traffic class of " + NAME_EXPECTED);
    }
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }
}
