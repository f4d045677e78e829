package dev.sluice.core.policy.themis;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.WeightReasons;
import dev.sluice.core.schedule.Shares;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Gives each job tickets by its nodes, or all alike; the scheduler draws who is next, over the tree
 * of shares where there is one.
 */
final class ThemisPolicy implements Policy<Nothing> {
  private final Tickets tickets;

  /** By what jobs of one user have tickets. */
  enum Tickets {
    SIZE,
    JOB
  }

  ThemisPolicy(Tickets tickets) {
    this.tickets = tickets;
  }

  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  @Override
  public Step<Nothing> decide(Nothing remembered, Observation seen) {
    List<JobDemand> demands = seen.jobs();
    JobId[] jobs = new JobId[demands.size()];
    long[] unlimited = new long[jobs.length];
    long[] weights = new long[jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    for (int i = 0; i < jobs.length; i++) {
      jobs[i] = demands.get(i).job();
      weights[i] = tickets == Tickets.SIZE ? demands.get(i).nodes() : 1;
    }
    Shares shares = Shares.ofColumns(jobs, unlimited, weights, seen.periodNanos());
    return new Step<>(
        remembered, new Allocation(Map.of(seen.target().name(), shares)), new Draw(seen, shares));
  }

  private record Draw(Observation seen, Shares shares) implements Explanation {
    @Override
    public String summary() {
      return "who waits on "
          + seen.target().name()
          + " is drawn by its tickets, for each request: nobody is limited";
    }

    @Override
    public List<Reason> reasons() {
      return WeightReasons.of(
          seen,
          shares,
          (index, sum) ->
              shares.weight(index)
                  + " of "
                  + sum
                  + " tickets: that part of the requests while all wait, more while some do"
                  + " not");
    }
  }
}
