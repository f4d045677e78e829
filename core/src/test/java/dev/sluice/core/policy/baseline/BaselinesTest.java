package dev.sluice.core.policy.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Step;
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

  private static final Observation OF_1_3_AND_6_NODES =
      Observation.of(
          100_000_000,
          100_000_000,
          List.of(JobDemand.of("a", 1, 500), JobDemand.of("b", 3, 0), JobDemand.of("c", 6, 20)));

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

    @Test
    void tellsWhatEverybodyWantsAndRemembersTheTargets() {
      NonePolicy policy = new NonePolicy();
      Step<Cluster> step = policy.decide(policy.initialState(Cluster.of(TARGET)), ONE_IDLE);
      assertThat(step.next()).isEqualTo(Cluster.of(TARGET));
      assertThat(step.explanation().reasons())
          .extracting(reason -> reason.figure("demand").longValue())
          .containsExactly(500L, 0L, 20L);
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
        assertThat(shares.tokensPerSecond(i)).isCloseTo(1_000 / 3.0, within(1e-5));
      }
      assertThat(shares.size()).isEqualTo(3);
    }

    @Test
    void ratesAreByNodes() {
      Step<Target> step = new StaticPolicy().decide(TARGET, OF_1_3_AND_6_NODES);
      Shares shares = step.allocation().on("t");
      long[] expected = {100, 300, 600};
      for (int i = 0; i < expected.length; i++) {
        assertThat(shares.tokensPerSecond(i)).isEqualTo((double) expected[i], within(1e-6));
        assertThat(step.explanation().reasons().get(i).figure("allocated").doubleValue())
            .as("in a period of 100 ms")
            .isEqualTo(expected[i] / 10.0, within(1e-9));
      }
      assertThat(step.explanation().reasons().get(1).words())
          .startsWith("3 of 10 nodes make 300 tokens/s");
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

    @Test
    void weightsAreByNodes() {
      Step<Target> step = new FairPolicy().decide(TARGET, OF_1_3_AND_6_NODES);
      Shares shares = step.allocation().on("t");
      long[] nodes = {1, 3, 6};
      for (int i = 0; i < nodes.length; i++) {
        assertThat(shares.weight(i)).isEqualTo(nodes[i]);
        assertThat(shares.isLimited(i)).isFalse();
        assertThat(step.explanation().reasons().get(i).figure("guaranteed").doubleValue())
            .as("of 100 tokens in a period of 100 ms")
            .isEqualTo(nodes[i] * 10.0, within(1e-9));
      }
      assertThat(step.explanation().reasons().get(1).words()).startsWith("weight 3 of 10");
    }
  }
}
