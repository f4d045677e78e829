package dev.sluice.core.policy.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Nothing;
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
          TARGET,
          100_000_000,
          100_000_000,
          List.of(JobDemand.of("a", 1, 500), JobDemand.of("b", 1, 0), JobDemand.of("c", 1, 20)));

  private static final Observation OF_1_3_AND_6_NODES =
      Observation.of(
          TARGET,
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
      assertThat(policy.decide(Nothing.REMEMBERED, ONE_IDLE).allocation().on("t").size()).isZero();
    }

    @Test
    void tellsWhatEverybodyWants() {
      NonePolicy policy = new NonePolicy();
      Step<Nothing> step = policy.decide(policy.initialState(Cluster.of(TARGET)), ONE_IDLE);
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
      Shares shares = new StaticPolicy().decide(Nothing.REMEMBERED, ONE_IDLE).allocation().on("t");
      for (int i = 0; i < 3; i++) {
        assertThat(shares.tokensPerSecond(i)).isCloseTo(1_000 / 3.0, within(1e-5));
      }
      assertThat(shares.size()).isEqualTo(3);
    }

    @Test
    void ratesAreByNodes() {
      Step<Nothing> step = new StaticPolicy().decide(Nothing.REMEMBERED, OF_1_3_AND_6_NODES);
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
      Shares shares = new FairPolicy().decide(Nothing.REMEMBERED, ONE_IDLE).allocation().on("t");
      assertThat(shares.size()).isEqualTo(3);
      assertThat(shares.isLimited(0)).isFalse();
      assertThat(shares.weight(0)).isEqualTo(1);
    }

    @Test
    void weightsAreByNodes() {
      Step<Nothing> step = new FairPolicy().decide(Nothing.REMEMBERED, OF_1_3_AND_6_NODES);
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

    /** 300 and 100 of 1000 tokens a second are reserved; the shares are 100, 300 and 600. */
    @Test
    void whatIsReservedComesFirstAndCountsForTheShare() {
      Step<Nothing> step = new FairPolicy().decide(Nothing.REMEMBERED, reserving(300, 100));
      Shares shares = step.allocation().on("t");
      assertThat(shares.reserved(0)).as("in 100 ms").isEqualTo(30, within(1e-9));
      assertThat(shares.reserved(1)).isEqualTo(10, within(1e-9));
      assertThat(shares.reserved(2)).isZero();
      assertThat(shares.isLimited(0)).isFalse();
      List<Explanation.Reason> reasons = step.explanation().reasons();
      assertThat(reasons.get(0).figure("reserved").doubleValue()).isEqualTo(30, within(1e-9));
      assertThat(reasons.get(0).figure("guaranteed").doubleValue()).isEqualTo(30, within(1e-9));
      assertThat(reasons.get(1).figure("guaranteed").doubleValue())
          .as("3 of 9 nodes, of 70 tokens that are left")
          .isEqualTo(70 / 3.0, within(1e-9));
      assertThat(reasons.get(0).words())
          .isEqualTo(
              "300 tokens/s are reserved for it: more than its share by weight 1 of 10; and more"
                  + " while some are not busy");
      assertThat(reasons.get(1).words()).contains("its share by weight 3 of 10 is more");
      assertThat(reasons.get(2).words()).startsWith("weight 6 of 10: at least its share");
      assertThat(step.explanation().summary()).endsWith("400 tokens/s are reserved");
    }

    /** B has 30 of 100 tokens reserved for a tenth of the weight, A 10 for three tenths. */
    @Test
    void whoHasMostReservedForItsWeightIsSetApartFirst() {
      Observation seen =
          Observation.of(
              TARGET,
              100_000_000,
              100_000_000,
              List.of(
                  JobDemand.of("a", 3, 500).withReserved(100),
                  JobDemand.of("b", 1, 500).withReserved(300),
                  JobDemand.of("c", 6, 500)));
      List<Explanation.Reason> reasons =
          new FairPolicy().decide(Nothing.REMEMBERED, seen).explanation().reasons();
      double[] guaranteed = {70 / 3.0, 30, 140 / 3.0};
      for (int i = 0; i < guaranteed.length; i++) {
        assertThat(reasons.get(i).figure("guaranteed").doubleValue())
            .isEqualTo(guaranteed[i], within(1e-6));
      }
      assertThat(reasons.get(2).figures()).doesNotContainKey("reserved");
    }

    @Test
    void partsOfATokenAreReservedInAShortPeriod() {
      Target fast = new Target("t", 1_000_000, TokenUnit.OPERATIONS);
      Observation seen =
          Observation.of(
              fast, 1_000_000, 1_000_000, List.of(JobDemand.of("a", 1, 500).withReserved(1_500)));
      assertThat(new FairPolicy().decide(Nothing.REMEMBERED, seen).allocation().on("t").reserved(0))
          .isEqualTo(1.5, within(1e-9));
    }

    @Test
    void reservesOfMoreThanNineTenthsAreCutInProportion() {
      Step<Nothing> step = new FairPolicy().decide(Nothing.REMEMBERED, reserving(3_000, 1_000));
      Shares shares = step.allocation().on("t");
      assertThat(shares.reserved(0)).as("in 100 ms").isEqualTo(67.5, within(1e-6));
      assertThat(shares.reserved(1)).isEqualTo(22.5, within(1e-6));
      assertThat(step.explanation().reasons().get(0).words())
          .startsWith("675 tokens/s are reserved for it, cut from 3 ktokens/s as all reserves");
      assertThat(step.explanation().reasons().get(2).figure("guaranteed").doubleValue())
          .isEqualTo(10, within(1e-6));
      assertThat(step.explanation().summary())
          .endsWith("900 tokens/s are reserved, cut from 4 ktokens/s to 90 % of the capacity");
    }

    private static Observation reserving(long first, long second) {
      return Observation.of(
          TARGET,
          100_000_000,
          100_000_000,
          List.of(
              JobDemand.of("a", 1, 500).withReserved(first),
              JobDemand.of("b", 3, 0).withReserved(second),
              JobDemand.of("c", 6, 20)));
    }
  }
}
