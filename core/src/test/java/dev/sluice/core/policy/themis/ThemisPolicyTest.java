package dev.sluice.core.policy.themis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ThemisPolicyTest extends PolicyContract {
  private static final Target TARGET = new Target("t", 110 << 20, TokenUnit.BYTES);
  private static final long SECOND = 1_000_000_000L;

  @Override
  protected PolicyFactory factory() {
    return new ThemisFactory();
  }

  @Test
  void jobsHaveTicketsByTheirNodesAndNobodyIsLimited() {
    Step<?> step = decide(Map.of());
    Shares shares = step.allocation().on("t");
    assertThat(shares.weight(0)).isEqualTo(4);
    assertThat(shares.weight(1)).isEqualTo(1);
    assertThat(shares.isLimited(0)).isFalse();
    assertThat(step.explanation().reasons().getFirst().words())
        .isEqualTo(
            "4 of 5 tickets: that part of the requests while all wait, more while some do not");
  }

  @Test
  void orAllHaveTheSame() {
    Shares shares = decide(Map.of("tickets", "job")).allocation().on("t");
    assertThat(shares.weight(0)).isEqualTo(1);
    assertThat(shares.weight(1)).isEqualTo(1);
  }

  private Step<?> decide(Map<String, String> settings) {
    return decide(factory().create(new Settings(factory().info(), settings)));
  }

  private static <S> Step<S> decide(Policy<S> policy) {
    return policy.decide(
        policy.initialState(Cluster.of(TARGET)),
        Observation.of(
            TARGET,
            SECOND,
            SECOND,
            List.of(JobDemand.of("large", 4, 5), JobDemand.of("small", 1, 0))));
  }
}
