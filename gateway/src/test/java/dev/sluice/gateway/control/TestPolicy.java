package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A policy that counts its decisions, gives every job as many tokens, and fails when told to. */
final class TestPolicy implements PolicyFactory, Policy<Integer> {
  static final long PERIOD_NANOS = 100_000_000;

  final List<Observation> seen = new ArrayList<>();
  private final PolicyInfo.Scope scope;
  volatile @Nullable RuntimeException failure;
  volatile @Nullable Runnable before;
  volatile long tokensMore;

  TestPolicy(PolicyInfo.Scope scope) {
    this.scope = scope;
  }

  PolicyChoice choice() {
    return new PolicyChoice(this, PERIOD_NANOS, Map.of());
  }

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        "test",
        "",
        "",
        "",
        scope,
        PERIOD_NANOS,
        SchedulerKind.TBF,
        Set.of(PolicyInfo.Need.DEMAND),
        List.of());
  }

  @Override
  public Policy<?> create(Settings settings) {
    return this;
  }

  @Override
  public Integer initialState(Cluster cluster) {
    return 0;
  }

  @Override
  public Step<Integer> decide(Integer state, Observation observed) {
    Runnable first = before;
    if (first != null) {
      first.run();
    }
    RuntimeException failing = failure;
    if (failing != null) {
      throw failing;
    }
    seen.add(observed);
    int decisions = state + 1;
    Map<String, Shares> shares = new HashMap<>();
    observed
        .targets()
        .forEach((target, jobs) -> {
          JobId[] ids = jobs.stream().map(JobDemand::job).toArray(JobId[]::new);
          long[] tokens = new long[ids.length];
          long[] weights = jobs.stream().mapToLong(JobDemand::nodes).toArray();
          Arrays.fill(tokens, decisions + tokensMore);
          shares.put(target, Shares.ofColumns(ids, tokens, weights, PERIOD_NANOS));
        });
    return new Step<>(decisions, new Allocation(shares), new Counted(decisions, observed));
  }

  private record Counted(int decisions, Observation observed) implements Explanation {
    @Override
    public String summary() {
      return "decision " + decisions;
    }

    @Override
    public List<Reason> reasons() {
      return observed.targets().values().stream()
          .flatMap(List::stream)
          .map(demand -> new Reason(demand.job(), Map.of("allocated", decisions), "counted"))
          .toList();
    }
  }
}
