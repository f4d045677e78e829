package dev.sluice.core.policy.baseline;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Nothing;
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
final class StaticPolicy implements Policy<Nothing> {
  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  /** Rates add up to the target's capacity. */
  @Override
  public Step<Nothing> decide(Nothing remembered, Observation seen) {
    Target target = seen.target();
    NodeShares byNodes = new NodeShares(seen);
    double budgetTokens =
        (double) target.tokensPerSecond() * seen.periodNanos() / Rate.NANOS_PER_SECOND;
    double[] tokens = new double[byNodes.jobs.length];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = byNodes.entitled(i, budgetTokens);
    }
    Shares shares =
        Shares.dividing(budgetTokens, byNodes.jobs, tokens, byNodes.nodes, seen.periodNanos());
    return new Step<>(
        remembered,
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
      for (int i = 0; i < shares.size(); i++) {
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("nodes", shares.weight(i));
        figures.put("demand", seen.jobs().get(i).wantedTokens());
        figures.put("tokensPerSecond", shares.tokensPerSecond(i));
        figures.put("allocated", shares.tokens(i));
        reasons.add(
            new Reason(
                shares.job(i),
                figures,
                shares.weight(i)
                    + " of "
                    + nodesSum
                    + " nodes make "
                    + Quantities.formatRate(shares.tokensPerSecond(i), Quantities.Counted.TOKENS)
                    + ", no more and no less"));
      }
      return reasons;
    }
  }
}
