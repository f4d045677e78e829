package dev.sluice.core.policy.baseline;

import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Reserved;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each job a weight by its nodes, and what somebody reserved for it, and leaves the rest to
 * fair queueing; limits nobody.
 */
final class FairPolicy implements Policy<Nothing> {
  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  @Override
  public Step<Nothing> decide(Nothing remembered, Observation seen) {
    Target target = seen.target();
    NodeShares byNodes = new NodeShares(seen);
    Reserved reserves = Reserved.of(seen);
    Shares shares = reserves.shares(byNodes.jobs, byNodes.nodes);
    return new Step<>(
        remembered,
        new Allocation(Map.of(target.name(), shares)),
        new ByWeight(target, seen, byNodes, reserves, shares));
  }

  private record ByWeight(
      Target target, Observation seen, NodeShares byNodes, Reserved reserves, Shares shares)
      implements Explanation {
    @Override
    public String summary() {
      String queueing = "fair queueing by nodes on " + target.name() + ": nobody is limited, ";
      return reserves.isEmpty()
          ? queueing + "and who waits is served by weight"
          : queueing
              + "what is reserved comes first, and then who waits is served by weight; "
              + reserves.words();
    }

    @Override
    public List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      double level = level();
      for (int i = 0; i < byNodes.jobs.length; i++) {
        double reserved = shares.reserved(i);
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("nodes", byNodes.nodes[i]);
        figures.put("demand", seen.jobs().get(i).wantedTokens());
        figures.put("guaranteed", Math.max(reserved, level * byNodes.nodes[i]));
        if (reserved > 0) {
          figures.put("reserved", reserved);
        }
        figures.put("allocated", Double.POSITIVE_INFINITY);
        reasons.add(new Reason(byNodes.jobs[i], figures, words(i, reserved, level)));
      }
      return reasons;
    }

    private String words(int index, double reserved, double level) {
      String weight = "weight " + byNodes.nodes[index] + " of " + byNodes.nodesSum;
      if (reserved == 0) {
        return weight + ": at least its share while all are busy, more while some are not";
      }
      return reserves.words(index, shares)
          + (reserved > level * byNodes.nodes[index]
              ? ": more than its share by " + weight
              : "; its share by " + weight + " is more")
          + "; and more while some are not busy";
    }

    /** What a weight of 1 has in a period while all are busy and have at least their reserves. */
    private double level() {
      double tokens =
          (double) target.tokensPerSecond() * seen.periodNanos() / Rate.NANOS_PER_SECOND;
      double weights = (double) byNodes.nodesSum;
      List<Integer> open = new ArrayList<>();
      for (int i = 0; i < shares.size(); i++) {
        if (shares.reservedParts(i) > 0) {
          open.add(i);
        }
      }
      open.sort((a, b) -> Double.compare(perWeight(b), perWeight(a)));
      for (int i : open) {
        if (perWeight(i) * weights <= tokens) {
          break;
        }
        tokens -= shares.reserved(i);
        weights -= byNodes.nodes[i];
      }
      // Some weight is left: of all reserves together no more than nine tenths are kept.
      return tokens / weights;
    }

    private double perWeight(int index) {
      return shares.reserved(index) / byNodes.nodes[index];
    }
  }
}
