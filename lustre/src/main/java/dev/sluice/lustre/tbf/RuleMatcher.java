package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreJobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the rule that a server would use for a job: the first in its list that matches. */
public final class RuleMatcher {
  private final Map<String, Placed> exact = new HashMap<>();
  private final List<Wild> wild = new ArrayList<>();

  /** A rule and how many are tried before it. */
  private record Placed(SeenRule rule, int place) {}

  /** One pattern of a rule. */
  private record Wild(String pattern, Placed placed) {}

  /** Over these rules, the one that is tried first in front. */
  public RuleMatcher(Iterable<SeenRule> rules) {
    int place = 0;
    for (SeenRule rule : rules) {
      if (rule.name().equals(RuleTable.DEFAULT)) {
        continue;
      }
      Placed placed = new Placed(rule, place++);
      for (String pattern : rule.patterns()) {
        if (pattern.indexOf('*') < 0) {
          exact.putIfAbsent(pattern, placed);
        } else {
          wild.add(new Wild(pattern, placed));
        }
      }
    }
  }

  /** The rule for a job; null where there is none but the default. */
  public @Nullable SeenRule match(LustreJobId job) {
    Placed found = exact.get(job.bytes());
    for (Wild candidate : wild) {
      if (found != null && found.place < candidate.placed.place) {
        break;
      }
      if (GlobPattern.matches(candidate.pattern, job.bytes())) {
        return candidate.placed.rule;
      }
    }
    return found == null ? null : found.rule;
  }
}
