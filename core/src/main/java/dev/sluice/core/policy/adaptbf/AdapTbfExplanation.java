package dev.sluice.core.policy.adaptbf;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells a decision step by step, in the tokens that each step left a job with. */
final class AdapTbfExplanation implements Explanation {
  private final AdapTbf.Decision decision;
  private final long periodNanos;
  private final AdapTbfState after;

  AdapTbfExplanation(AdapTbf.Decision decision, long periodNanos, AdapTbfState after) {
    this.decision = decision;
    this.periodNanos = periodNanos;
    this.after = after;
  }

  @Override
  public String summary() {
    int count = decision.jobs.length;
    if (count == 0) {
      return "no job is active on " + after.target.name() + ": nobody is limited";
    }
    long lent = 0;
    long returned = 0;
    for (int i = 0; i < count; i++) {
      lent += Math.max(0, decision.redistributed[i] - decision.priority[i]);
      returned += Math.max(0, decision.allocated[i] - decision.redistributed[i]);
    }
    String text =
        count
            + (count == 1 ? " active job shares " : " active jobs share ")
            + tokens(decision.totalTokens)
            + " for the next "
            + Quantities.formatDuration(periodNanos)
            + " on "
            + after.target.name()
            + ": "
            + tokens(lent)
            + " lent, "
            + tokens(returned)
            + " given back";
    return after.writtenOffTokens == 0
        ? text
        : text + "; records of " + after.writtenOffTokens + " written off with jobs that are gone";
  }

  @Override
  public List<Reason> reasons() {
    List<Reason> reasons = new ArrayList<>(decision.jobs.length);
    for (int i = 0; i < decision.jobs.length; i++) {
      Map<String, Number> figures = new LinkedHashMap<>();
      figures.put("nodes", decision.nodes[i]);
      figures.put("demand", decision.wanted[i]);
      figures.put("priority", decision.priority[i]);
      figures.put("redistributed", decision.redistributed[i]);
      figures.put("recompensated", decision.allocated[i]);
      figures.put("allocated", decision.allocated[i]);
      figures.put("record", decision.records[i]);
      reasons.add(new Reason(decision.jobs[i], figures, words(i)));
    }
    return reasons;
  }

  private String words(int job) {
    StringBuilder text = new StringBuilder();
    text.append(decision.nodes[job])
        .append(" of ")
        .append(decision.nodesSum)
        .append(" nodes make ")
        .append(tokens(decision.priority[job]))
        .append(", it wants ")
        .append(decision.wanted[job]);
    long redistributed = decision.redistributed[job] - decision.priority[job];
    if (redistributed < 0) {
      text.append("; lends ").append(-redistributed);
    } else if (redistributed > 0) {
      text.append("; borrows ").append(redistributed);
    }
    long returned = decision.allocated[job] - decision.redistributed[job];
    if (returned < 0) {
      text.append("; pays back ").append(-returned);
    } else if (returned > 0) {
      text.append("; gets back ").append(returned);
    }
    long record = decision.records[job];
    text.append("; may use ").append(decision.allocated[job]);
    if (record > 0) {
      text.append(", is owed ").append(record);
    } else if (record < 0) {
      text.append(", owes ").append(-record);
    }
    return text.toString();
  }

  private static String tokens(long count) {
    return count + (count == 1 ? " token" : " tokens");
  }
}
