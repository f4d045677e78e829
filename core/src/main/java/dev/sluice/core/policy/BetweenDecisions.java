package dev.sluice.core.policy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A decision, and what was made of it since on single targets.
 *
 * @param decision why each job was given what it was given
 * @param since by target, what was done there at the last look
 */
public record BetweenDecisions(Explanation decision, Map<String, Explanation> since)
    implements Explanation {
  /** More than anybody reads in one sentence. */
  private static final int TARGETS_TOLD_MAX = 3;

  public BetweenDecisions {
    since = new TreeMap<>(since);
  }

  @Override
  public String summary() {
    StringBuilder summary = new StringBuilder(decision.summary());
    int told = 0;
    for (Map.Entry<String, Explanation> target : since.entrySet()) {
      if (told++ < TARGETS_TOLD_MAX) {
        summary
            .append("; since then on ")
            .append(target.getKey())
            .append(": ")
            .append(target.getValue().summary());
      }
    }
    if (told > TARGETS_TOLD_MAX) {
      summary.append("; and on ").append(told - TARGETS_TOLD_MAX).append(" more targets");
    }
    return summary.toString();
  }

  @Override
  public List<Reason> reasons() {
    Map<Object, Reason> reasons = new LinkedHashMap<>();
    decision.reasons().forEach(reason -> reasons.put(reason.job(), reason));
    since.forEach((target, done) ->
        done.reasons()
            .forEach(reason ->
                reasons.merge(
                    reason.job(),
                    on(target, reason),
                    (before, now) -> joined(before, target, reason))));
    List<Reason> ordered = new ArrayList<>(reasons.values());
    ordered.sort((a, b) -> a.job().compareTo(b.job()));
    return ordered;
  }

  /** Of a job that the decision does not know. */
  private static Reason on(String target, Reason reason) {
    return new Reason(reason.job(), reason.figures(), "on " + target + " " + reason.words());
  }

  private static Reason joined(Reason before, String target, Reason reason) {
    Map<String, Number> figures = new LinkedHashMap<>(before.figures());
    reason.figures().forEach((name, figure) -> figures.put(name + " on " + target, figure));
    return new Reason(
        before.job(), figures, before.words() + "; since then on " + target + " " + reason.words());
  }

  @Override
  public Map<String, Number> amounts() {
    return decision.amounts();
  }

  @Override
  public Map<String, Number> levels() {
    return decision.levels();
  }
}
