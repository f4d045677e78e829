package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What somebody decided who sees more than our targets.
 *
 * @param policy by which policy, as it is set there
 * @param summary what was decided over all, as he says
 */
record RemoteDecision(PolicyChoice policy, Map<String, Shares> shares, String summary) {
  RemoteDecision {
    shares = Map.copyOf(shares);
  }

  /** What carries it out. */
  SchedulerKind kind() {
    return policy.info().scheduler();
  }

  Shares on(String target) {
    return shares.getOrDefault(target, Shares.NONE);
  }

  /** Who decides, in words. */
  String decider() {
    return policy.info().name() + " of the controller";
  }

  /** What holds on these targets; why it is so, only who decided could say. */
  Explanation on(List<Target> targets) {
    return new Told(this, targets);
  }

  private record Told(RemoteDecision decision, List<Target> targets) implements Explanation {
    @Override
    public String summary() {
      return decision.summary.isEmpty()
          ? "the controller decides about the targets of all its gateways together"
          : "the controller says: " + decision.summary;
    }

    @Override
    public List<Reason> reasons() {
      Map<JobId, List<String>> words = new TreeMap<>();
      Map<JobId, Map<String, Number>> figures = new TreeMap<>();
      for (Target target : targets) {
        Shares shares = decision.on(target.name());
        for (int i = 0; i < shares.size(); i++) {
          double perSecond = shares.tokensPerSecond(i);
          words
              .computeIfAbsent(shares.job(i), _ -> new ArrayList<>())
              .add(allowed(perSecond, target) + " on " + target.name());
          Map<String, Number> ofJob =
              figures.computeIfAbsent(shares.job(i), _ -> new LinkedHashMap<>());
          ofJob.merge("allocated", perSecond, (a, b) -> a.doubleValue() + b.doubleValue());
          ofJob.put("allocated on " + target.name(), perSecond);
        }
      }
      List<Reason> reasons = new ArrayList<>();
      words.forEach((job, allowed) ->
          reasons.add(
              new Reason(
                  job,
                  figures.getOrDefault(job, Map.of()),
                  "the controller allows it " + String.join(", ", allowed))));
      return reasons;
    }

    private static String allowed(double perSecond, Target target) {
      if (Double.isInfinite(perSecond)) {
        return "as much as there is";
      }
      return Quantities.formatRate(
          perSecond,
          target.unit().equals(TokenUnit.OPERATIONS) ? Counted.OPERATIONS : Counted.BYTES);
    }
  }
}
