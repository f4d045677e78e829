package dev.sluice.core.policy.baseline;

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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gives each job a weight by its nodes and leaves the rest to fair queueing; limits nobody. */
final class FairPolicy implements Policy<Target> {
  @Override
  public Target initialState(Cluster cluster) {
    return cluster.only();
  }

  @Override
  public Step<Target> decide(Target target, Observation seen) {
    NodeShares byNodes = new NodeShares(seen);
    long[] unlimited = new long[byNodes.jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    Shares shares = Shares.ofColumns(byNodes.jobs, unlimited, byNodes.nodes, seen.periodNanos());
    return new Step<>(
        target, new Allocation(Map.of(target.name(), shares)), new ByWeight(target, seen, byNodes));
  }

  private record ByWeight(Target target, Observation seen, NodeShares byNodes)
      implements Explanation {
    @Override
    public String summary() {
      return "fair queueing by nodes on "
          + target.name()
          + ": nobody is limited, and who waits is served by weight";
    }

    @Override
    public List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      double tokens =
          (double) target.tokensPerSecond() * seen.periodNanos() / Rate.NANOS_PER_SECOND;
      for (int i = 0; i < byNodes.jobs.length; i++) {
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("nodes", byNodes.nodes[i]);
        figures.put("demand", seen.jobs().get(i).wantedTokens());
        figures.put("guaranteed", byNodes.entitled(i, tokens));
        figures.put("allocated", Double.POSITIVE_INFINITY);
        reasons.add(
            new Reason(
                byNodes.jobs[i],
                figures,
                "weight "
                    + byNodes.nodes[i]
                    + " of "
                    + byNodes.nodesSum
                    + ": at least its share while all are busy, more while some are not"));
      }
      return reasons;
    }
  }
}
