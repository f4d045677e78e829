package dev.sluice.core.policy.baseline;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each job a weight by its nodes, and what somebody reserved for it, and leaves the rest to
 * fair queueing; limits nobody.
 */
final class FairPolicy implements Policy<Nothing> {
  /**
   * So much of a target may be reserved, so that whoever has no reserve is served and a little
   * unsteadiness of the target breaks no promise.
   */
  private static final double RESERVED_MAX = 0.9;

  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  @Override
  public Step<Nothing> decide(Nothing remembered, Observation seen) {
    Target target = seen.target();
    NodeShares byNodes = new NodeShares(seen);
    Shares shares = shares(target, seen, byNodes);
    return new Step<>(
        remembered,
        new Allocation(Map.of(target.name(), shares)),
        new ByWeight(target, seen, byNodes, shares));
  }

  private static Shares shares(Target target, Observation seen, NodeShares byNodes) {
    long[] unlimited = new long[byNodes.jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    double sum = reservedPerSecond(seen);
    if (sum == 0) {
      return Shares.ofColumns(byNodes.jobs, unlimited, byNodes.nodes, seen.periodNanos());
    }
    double kept = keptPart(target, sum);
    double periods = (double) Rate.NANOS_PER_SECOND / seen.periodNanos();
    long partsPerToken =
        Shares.partsPerToken(target.tokensPerSecond() / periods, seen.periodNanos());
    long[] reserved = new long[unlimited.length];
    for (int i = 0; i < reserved.length; i++) {
      reserved[i] = (long) (reserved(seen.jobs().get(i)) * kept / periods * partsPerToken);
    }
    return Shares.ofParts(byNodes.jobs, unlimited, byNodes.nodes, partsPerToken, seen.periodNanos())
        .withReserves(reserved);
  }

  private static double reservedPerSecond(Observation seen) {
    double sum = 0;
    for (JobDemand demand : seen.jobs()) {
      sum += reserved(demand);
    }
    return sum;
  }

  private static double reserved(JobDemand demand) {
    return Math.max(0, demand.reservedPerSecond());
  }

  /** What is left of each reserve where all of them together are too much for the target. */
  private static double keptPart(Target target, double reservedPerSecond) {
    return Math.min(1, RESERVED_MAX * target.tokensPerSecond() / reservedPerSecond);
  }

  private record ByWeight(Target target, Observation seen, NodeShares byNodes, Shares shares)
      implements Explanation {
    @Override
    public String summary() {
      double reserved = reservedPerSecond(seen);
      String queueing = "fair queueing by nodes on " + target.name() + ": nobody is limited, ";
      if (reserved == 0) {
        return queueing + "and who waits is served by weight";
      }
      double kept = keptPart(target, reserved);
      return queueing
          + "what is reserved comes first, and then who waits is served by weight; "
          + tokens(reserved * kept)
          + " are reserved"
          + (kept == 1 ? "" : ", cut from " + tokens(reserved) + " to 90 % of the capacity");
    }

    private static String tokens(double perSecond) {
      return Quantities.formatRate(perSecond, Quantities.Counted.TOKENS);
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
      double asked = reserved(seen.jobs().get(index));
      double given = reserved * Rate.NANOS_PER_SECOND / seen.periodNanos();
      return tokens(given)
          + " are reserved for it"
          + (keptPart(target, reservedPerSecond(seen)) == 1
              ? ""
              : ", cut from " + tokens(asked) + " as all reserves are")
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
