package dev.sluice.app.decide;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What limits leave of decisions, step by step, on the only target there is: in a period a job may
 * have what its limit brings in it, and what it has saved. As on a gateway, who comes has saved all
 * that it may, and the first limit that matches a job counts. Requests count as writes.
 */
final class LimitsInSteps {
  private final List<TbfRule> rules;

  /** By job, in tokens. */
  private final Map<JobId, Double> saved = new HashMap<>();

  LimitsInSteps(List<TbfRule> rules) {
    this.rules = rules;
  }

  /** A decision, with what limits leave of it. */
  Explanation kept(Explanation decision, Observation seen, Function<JobId, JobOwner> owners) {
    if (rules.isEmpty()) {
      return decision;
    }
    Map<JobId, Left> left = new HashMap<>();
    for (JobDemand job : seen.jobs()) {
      TbfRule rule = rule(job.job(), seen.target().name(), owners.apply(job.job()));
      if (rule != null) {
        left.put(job.job(), left(rule, job, seen.periodNanos()));
      }
    }
    saved.keySet().removeAll(seen.ended());
    return left.isEmpty() ? decision : new WithLimits(decision, left);
  }

  private @Nullable TbfRule rule(JobId job, String target, JobOwner owner) {
    Flow flow = new Flow(job, owner.user(), owner.group(), ClientAddress.LOCAL, "", target);
    for (TbfRule rule : rules) {
      if (rule.match().matches(flow, Operation.WRITE)) {
        return rule;
      }
    }
    return null;
  }

  private Left left(TbfRule rule, JobDemand job, long periodNanos) {
    TbfLimit limit = rule.limit();
    double inPeriod = (double) limit.rate().tokens() * periodNanos / limit.rate().periodNanos();
    double had = saved.getOrDefault(job.job(), (double) limit.depthTokens()) + inPeriod;
    double now =
        Math.min((double) limit.depthTokens(), had - Math.min((double) job.wantedTokens(), had));
    saved.put(job.job(), now);
    return new Left(rule.name(), (long) now, (long) (now + inPeriod));
  }

  /**
   * What a limit leaves a job.
   *
   * @param savedTokens what it has saved
   * @param tokens what it may have in the next period
   */
  private record Left(String limit, long savedTokens, long tokens) {}

  /** A decision with what limits leave of it. */
  private record WithLimits(Explanation decision, Map<JobId, Left> left) implements Explanation {
    @Override
    public String summary() {
      return decision.summary();
    }

    @Override
    public List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      for (Reason reason : decision.reasons()) {
        Left own = left.get(reason.job());
        reasons.add(own == null ? reason : limited(reason, own));
      }
      return reasons;
    }

    private static Reason limited(Reason reason, Left left) {
      Map<String, Number> figures = new LinkedHashMap<>(reason.figures());
      boolean binds = reason.figure("allocated").doubleValue() > (double) left.tokens;
      if (binds) {
        figures.put("allocated", left.tokens);
      }
      figures.put("saved", left.savedTokens);
      return new Reason(
          reason.job(),
          figures,
          reason.words()
              + "; limit \""
              + left.limit
              + (binds ? "\" leaves it " + left.tokens : "\" leaves it all of that")
              + (left.savedTokens == 0 ? "" : ", with " + left.savedTokens + " saved"));
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
}
