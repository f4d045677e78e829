package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreJobId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules that others wrote. Whatever one of them matches is left to it; except that one for all
 * jobs, {@code {*}}, stands for another default, and ours go in front of it.
 */
public final class OthersRules {
  private final RuleMatcher matcher;
  private final int count;
  private final String before;

  /** Those in a table that are not ours. */
  public OthersRules(RuleTable table, Predicate<String> isOurs) {
    List<SeenRule> particular = new ArrayList<>();
    String forAll = null;
    int others = 0;
    for (SeenRule rule : table.rules()) {
      if (rule.name().equals(RuleTable.DEFAULT) || isOurs.test(rule.name())) {
        continue;
      }
      others++;
      if (!rule.list().equals("*")) {
        particular.add(rule);
      } else if (forAll == null) {
        forAll = rule.name();
      }
    }
    this.matcher = new RuleMatcher(particular);
    this.count = others;
    this.before = forAll == null ? RuleTable.DEFAULT : forAll;
  }

  /** The rule that a job is left to; null where there is none. */
  public @Nullable String ruling(LustreJobId job) {
    SeenRule rule = matcher.match(job);
    return rule == null ? null : rule.name();
  }

  /** The rule that ours go in front of, so that theirs are tried first. */
  public String before() {
    return before;
  }

  /** How many there are. */
  public int count() {
    return count;
  }
}
