package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a site, in order: the first that matches a request says which job is charged for it
 * and in which traffic class it goes.
 *
 * <p>Immutable. Rules are replaced while requests pass by parsing the new text, which fails before
 * anything has changed, and then setting the one volatile reference through which requests find
 * their rule set; each request is classified wholly by the old rules or wholly by the new ones.
 */
public final class RuleSet {
  /** The traffic class of requests that no rule matches. */
  public static final String DEFAULT_CLASS = "default";

  /** A bound on the rules of one set. */
  public static final int RULES_MAX = 10_000;

  /** A bound on one line, in characters. */
  public static final int LINE_LENGTH_MAX = 16_384;

  /** A bound on the whole text, in characters. */
  public static final int TEXT_LENGTH_MAX = 1 << 22;

  private final List<Rule> rules;
  private final RuleIndex<Rule> index;

  private RuleSet(List<Rule> rules) {
    this.rules = List.copyOf(rules);
    this.index = RuleIndex.of(this.rules, Rule::match);
  }

  /**
   * Reads one rule a line, as in {@code jupyter: export=/home* client=10.2.0.0/16 ->
   * job=jupyter-{user}}. A line may be blank, and {@code #} after a blank or at its beginning
   * starts a comment.
   *
   * @throws RuleSyntaxException for the first line that is wrong
   */
  public static RuleSet parse(String text) {
    if (text.length() > TEXT_LENGTH_MAX) {
      throw new RuleSyntaxException(
          null,
          1,
          1,
          "expected rules of at most "
              + TEXT_LENGTH_MAX
              + " characters, these have "
              + text.length());
    }
    List<Rule> rules = new ArrayList<>();
    Map<String, Integer> lineByName = new HashMap<>();
    String[] lines = text.split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      String line =
          lines[i].endsWith("\r") ? lines[i].substring(0, lines[i].length() - 1) : lines[i];
      Rule rule = ruleOrBlank(line, i + 1, lineByName);
      if (rule != null) {
        lineByName.put(rule.name(), i + 1);
        rules.add(rule);
      }
    }
    return new RuleSet(rules);
  }

  private static @Nullable Rule ruleOrBlank(
      String line, int lineNumber, Map<String, Integer> lineByName) {
    if (line.length() > LINE_LENGTH_MAX) {
      throw new RuleSyntaxException(
          null,
          lineNumber,
          LINE_LENGTH_MAX + 1,
          "expected a line of at most "
              + LINE_LENGTH_MAX
              + " characters, this one has "
              + line.length());
    }
    return new RuleParser(line, lineNumber).ruleOrBlank(lineByName);
  }

  /** The rules, in the order in which they are tried. */
  public List<Rule> rules() {
    return rules;
  }

  /**
   * The flow charged to the job of the first rule that matches, with that rule's traffic class; the
   * flow as it is and {@link #DEFAULT_CLASS} when none does. Never throws: see {@link JobTemplate}
   * for what becomes of a job that cannot be named as the rule says.
   */
  public Classified classify(Flow flow, Operation operation) {
    Rule rule = index.first(flow, operation);
    if (rule == null) {
      return new Classified(flow, DEFAULT_CLASS);
    }
    JobId job = rule.job().jobOf(flow, operation);
    return new Classified(job.equals(flow.job()) ? flow : flow.chargedTo(job), rule.trafficClass());
  }
}
