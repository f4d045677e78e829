package dev.sluice.core.policy.baseline;

import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Limits nobody. */
final class NonePolicy implements Policy<Nothing> {
  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  @Override
  public Step<Nothing> decide(Nothing remembered, Observation seen) {
    return new Step<>(remembered, new Allocation(Map.of()), new Unlimited(seen));
  }

  private record Unlimited(Observation seen) implements Explanation {
    @Override
    public String summary() {
      return "no control: requests are served in the order in which they come";
    }

    @Override
    public List<Reason> reasons() {
      return seen.jobs().stream()
          .map(demand -> {
            Map<String, Number> figures = new LinkedHashMap<>();
            figures.put("demand", demand.wantedTokens());
            figures.put("allocated", Double.POSITIVE_INFINITY);
            return new Reason(demand.job(), figures, "nobody is limited");
          })
          .toList();
    }
  }
}
