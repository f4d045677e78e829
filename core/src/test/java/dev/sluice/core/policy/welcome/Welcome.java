package dev.sluice.core.policy.welcome;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gives who is new a larger weight for a while; limits nobody. */
final class Welcome implements Policy<Welcome.Guests> {
  private final long headStart;
  private final long welcomeNanos;

  Welcome(long headStart, long welcomeNanos) {
    this.headStart = headStart;
    this.welcomeNanos = welcomeNanos;
  }

  /** Since when each job is there; who has left is forgotten, and new when it comes back. */
  record Guests(Map<JobId, Long> sinceNanos) {
    Guests {
      sinceNanos = Map.copyOf(sinceNanos);
    }
  }

  @Override
  public Guests initialState(Cluster cluster) {
    return new Guests(Map.of());
  }

  @Override
  public StateCodec<Guests> codec() {
    return new WelcomeCodec();
  }

  @Override
  public Step<Guests> decide(Guests before, Observation seen) {
    int count = seen.jobs().size();
    JobId[] jobs = new JobId[count];
    long[] weights = new long[count];
    Map<JobId, Long> sinceNanos = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      jobs[i] = seen.jobs().get(i).job();
      long since = before.sinceNanos().getOrDefault(jobs[i], seen.nowNanos());
      weights[i] = seen.nowNanos() - since < welcomeNanos ? headStart : 1;
      sinceNanos.put(jobs[i], since);
    }
    long[] unlimited = new long[count];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    String target = seen.target().name();
    Shares shares = Shares.ofColumns(jobs, unlimited, weights, seen.periodNanos());
    return new Step<>(
        new Guests(sinceNanos),
        new Allocation(Map.of(target, shares)),
        new Greeting(target, seen, shares));
  }

  private record Greeting(String target, Observation seen, Shares shares) implements Explanation {
    @Override
    public String summary() {
      return "newcomers weigh more on " + target + ", and nobody is limited";
    }

    @Override
    public List<Reason> reasons() {
      List<Reason> reasons = new ArrayList<>();
      for (int i = 0; i < shares.size(); i++) {
        JobDemand demand = seen.jobs().get(i);
        Map<String, Number> figures = new LinkedHashMap<>();
        figures.put("demand", demand.wantedTokens());
        figures.put("weight", shares.weight(i));
        figures.put("allocated", Double.POSITIVE_INFINITY);
        String words = shares.weight(i) > 1 ? "is new here: weight " : "is known here: weight ";
        reasons.add(new Reason(shares.job(i), figures, words + shares.weight(i)));
      }
      return reasons;
    }
  }
}
