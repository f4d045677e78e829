package dev.sluice.core.policy.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BaselinesTest {
  private static final Target TARGET = new Target("t", 1000, TokenUnit.OPERATIONS);
  private static final Observation ONE_IDLE =
      Observation.of(
          100_000_000,
          100_000_000,
          List.of(JobDemand.of("a", 1, 500), JobDemand.of("b", 1, 0), JobDemand.of("c", 1, 20)));

  @Nested
  class None extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return new NoneFactory();
    }

    @Test
    void listsNobody() {
      NonePolicy policy = new NonePolicy();
      assertThat(policy.decide(Cluster.of(TARGET), ONE_IDLE).allocation().on("t").size()).isZero();
    }
  }

  @Nested
  class Static extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return new StaticFactory();
    }

    @Test
    void ratesAddUpToTheCapacityAndAnIdleJobKeepsItsOwn() {
      Shares shares = new StaticPolicy().decide(TARGET, ONE_IDLE).allocation().on("t");
      for (int i = 0; i < 3; i++) {
        assertThat(shares.tokensPerSecond(i)).isCloseTo(1_000 / 3.0, offset(1e-5));
      }
      assertThat(shares.size()).isEqualTo(3);
    }
  }

  @Nested
  class Fair extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return new FairFactory();
    }

    @Test
    void weighsByNodesAndLimitsNobody() {
      Shares shares = new FairPolicy().decide(TARGET, ONE_IDLE).allocation().on("t");
      assertThat(shares.size()).isEqualTo(3);
      assertThat(shares.isLimited(0)).isFalse();
      assertThat(shares.weight(0)).isEqualTo(1);
    }
  }
}
