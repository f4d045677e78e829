package dev.sluice.core.policy.baseline;

import dev.sluice.core.fair.WholeTokens;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fixed rate for each job by its priority, used or not: what an administrator writes into a token
 * bucket filter by hand.
 */
final class StaticPolicy implements Policy<Target> {
  @Override
  public Target initialState(Cluster cluster) {
    return cluster.only();
  }

  /** Rates are whole tokens a second and add up to the target's capacity. */
  @Override
  public Step<Target> decide(Target target, Observation seen) {
    NodeShares byNodes = new NodeShares(seen);
    int count = byNodes.jobs.length;
    double[] real = new double[count];
    long[] tokensPerSecond = new long[count];
    for (int i = 0; i < count; i++) {
      real[i] = byNodes.entitled(i, (double) target.tokensPerSecond());
    }
    if (count > 0) {
      new WholeTokens(count)
          .round(count, real, new double[count], null, target.tokensPerSecond(), tokensPerSecond);
    }
    Shares shares =
        Shares.ofColumns(byNodes.jobs, tokensPerSecond, byNodes.nodes, Rate.NANOS_PER_SECOND);
    return new Step<>(
        target,
        new Allocation(Map.of(target.name(), shares)),
        new ByPriority(target, seen, shares, byNodes.nodesSum));
  }

  private record ByPriority(Target target, Observation seen, Shares shares, long nodesSum)
      implements Explanation {
    @Override
    public String summary() {
      return "fixed rates by nodes on " + target.name() + ", whether a job uses its rate or not";
    }

    @Override
    public List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      double periodSeconds = (double) seen.periodNanos() / Rate.NANOS_PER_SECOND;
      for (int i = 0; i < shares.size(); i++) {
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("nodes", shares.weight(i));
        figures.put("demand", seen.jobs().get(i).wantedTokens());
        figures.put("tokensPerSecond", shares.tokens(i));
        figures.put("allocated", shares.tokens(i) * periodSeconds);
        reasons.add(
            new Reason(
                shares.job(i),
                figures,
                shares.weight(i)
                    + " of "
                    + nodesSum
                    + " nodes make "
                    + shares.tokens(i)
                    + " tokens/s, no more and no less"));
      }
      return reasons;
    }
  }
}
