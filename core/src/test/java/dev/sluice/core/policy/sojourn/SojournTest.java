package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
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

class SojournTest extends PolicyContract {
  private static final Target TARGET = new Target("t", 110 << 20, TokenUnit.BYTES);
  private static final long SECOND = 1_000_000_000L;

  @Override
  protected PolicyFactory factory() {
    return new SojournFactory();
  }

  @Test
  void jobsWeighAsMuchAsTheyHaveNodesAndNobodyIsLimited() {
    Shares shares = decide(Map.of(), 1).allocation().on("t");
    assertThat(shares.weight(0)).isEqualTo(30);
    assertThat(shares.weight(1)).isEqualTo(10);
    assertThat(shares.isLimited(0)).isFalse();
    assertThat(shares.phaseTokens(0)).isZero();
  }

  @Test
  void whatIsToldOfPhasesReachesTheScheduler() {
    Step<?> step = decide(Map.of("phases", "fast=128 MiB, slow-*=2560 MiB"), 1);
    Shares shares = step.allocation().on("t");
    assertThat(shares.phaseTokens(0)).isEqualTo(128L << 20);
    assertThat(shares.phaseTokens(1)).isEqualTo(2560L << 20);
    assertThat(step.explanation().reasons().getFirst().figures())
        .containsEntry("phase", 128L << 20);
    assertThat(step.explanation().reasons().getFirst().words())
        .isEqualTo(
            "weight 30 of 40: somebody told that its phases come to 134217728 tokens, which is"
                + " believed while they do");
  }

  @Test
  void whereNothingIsToldPhasesAreTakenForWhatTheLastOnesWere() {
    Explanation.Reason reason = decide(Map.of(), 1).explanation().reasons().getFirst();
    assertThat(reason.words())
        .isEqualTo("weight 30 of 40: its phases are taken for what its last ones were");
    assertThat(reason.figures()).doesNotContainKey("phase");
  }

  @Test
  void aWeightIsFromOneToWhatATreeAllows() {
    Map<String, String> bounds = Map.of("weights", "fast=1, slow-*=1048576");
    Shares shares = decide(bounds, 1).allocation().on("t");
    assertThat(shares.weight(0)).isEqualTo(1);
    assertThat(shares.weight(1)).isEqualTo(1_048_576);
    assertThatThrownBy(() -> decide(Map.of("weights", "fast=1048577"), 1))
        .hasMessage("weights: fast=1048577: expected a whole number from 1 to 1048576");
  }

  @Test
  void aHintCountsWhereNothingIsWrittenAndAWeightInPlaceOfNodes() {
    Map<String, String> written = Map.of("phases", "fast=1000", "weights", "slow-*=7");
    Shares shares =
        decide(
                factory().create(new Settings(factory().info(), written)),
                1,
                List.of(
                    hinted(JobDemand.of("fast", 30, 5), 2_000),
                    hinted(JobDemand.of("slow-1", 10, 0), 3_000)))
            .allocation()
            .on("t");
    assertThat(shares.phaseTokens(0)).isEqualTo(1_000);
    assertThat(shares.phaseTokens(1)).isEqualTo(3_000);
    assertThat(shares.weight(0)).isEqualTo(30);
    assertThat(shares.weight(1)).isEqualTo(7);
    assertThatThrownBy(() -> decide(Map.of("weights", "fast=0"), 1))
        .hasMessage("weights: fast=0: expected a whole number from 1 to 1048576");
  }

  /** Nine tenths of the target at most, in proportion. */
  @Test
  void whatIsReservedReachesTheScheduler() {
    Policy<?> policy = factory().create(new Settings(factory().info(), Map.of()));
    long half = 55L << 20;
    Step<?> kept = decide(policy, 1, List.of(reserved("fast", half), JobDemand.of("slow", 10, 0)));
    assertThat(kept.allocation().on("t").reserved(0)).isEqualTo((double) half);
    assertThat(kept.allocation().on("t").reserved(1)).isZero();
    assertThat(kept.explanation().summary()).endsWith("comes first: 57.7 Mtokens/s are reserved");
    Step<?> cut = decide(policy, 1, List.of(reserved("fast", 2 * half), reserved("slow", half)));
    assertThat(cut.allocation().on("t").reserved(0)).isCloseTo(1.2 * half, within(1.0));
    assertThat(cut.allocation().on("t").reserved(1)).isCloseTo(0.6 * half, within(1.0));
    assertThat(cut.explanation().reasons().getFirst().words())
        .startsWith(
            "69.2 Mtokens/s are reserved for it, cut from 115 Mtokens/s as all"
                + " reserves are; weight");
  }

  private static JobDemand reserved(String job, long perSecond) {
    return JobDemand.of(job, 10, 5).withReserved(perSecond);
  }

  private static JobDemand hinted(JobDemand seen, long tokens) {
    return seen.withClaim(seen.claim().withPhase(tokens));
  }

  @Test
  void anErrorFalsifiesWhatIsToldByItsPartUpOrDown() {
    Map<String, String> settings = Map.of("phases", "fast=1000", "error", "0.5");
    assertThat(
            List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).stream()
                .map(second -> decide(settings, second).allocation().on("t").phaseTokens(0)))
        .contains(500L, 1_500L)
        .containsOnly(500L, 1_500L);
  }

  @Test
  void whatIsNoSizeIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> decide(Map.of("phases", "fast=soon"), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("phases: fast=soon: ");
    assertThatThrownBy(() -> decide(Map.of("phases", "128 MiB"), 1))
        .hasMessage(
            "phases: \"128 MiB\": expected job=size, such as fast=128 MiB, slow-*=2560 MiB");
  }

  private Step<?> decide(Map<String, String> settings, long second) {
    return decide(factory().create(new Settings(factory().info(), settings)), second);
  }

  private static <S> Step<S> decide(Policy<S> policy, long second) {
    return decide(
        policy, second, List.of(JobDemand.of("fast", 30, 5), JobDemand.of("slow-1", 10, 0)));
  }

  private static <S> Step<S> decide(Policy<S> policy, long second, List<JobDemand> seen) {
    return policy.decide(
        policy.initialState(Cluster.of(TARGET)),
        Observation.of(TARGET, second * SECOND, SECOND, seen));
  }
}
