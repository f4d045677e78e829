package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
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

  /**
   * As much as it wants, up to the rate; and what somebody reserved besides that, if it is more.
   */
  @Test
  void ofARateAsMuchIsReservedAsIsWantedHere() {
    Policy<?> policy = rates("a=20 MiB/s, b=20 MiB/s, c*=30 MiB/s, d=9 MiB/s");
    long mebi = 1L << 20;
    Shares shares =
        decide(
                policy,
                1,
                List.of(
                    new JobDemand(JobId.of("a"), 1, 3 * mebi, 2 * mebi),
                    JobDemand.of("b", 1, 21 * mebi),
                    JobDemand.of("c-1", 1, 10 * mebi).withReserved(11 * mebi),
                    JobDemand.of("c-2", 1, 10 * mebi).withReserved(9 * mebi),
                    JobDemand.of("d", 1, 0),
                    JobDemand.of("e", 1, 8 * mebi)))
            .allocation()
            .on("t");
    assertThat(List.of(0, 1, 2, 3, 4, 5).stream().map(i -> (long) shares.reserved(i) / mebi))
        .containsExactly(5L, 20L, 11L, 10L, 0L, 0L);
  }

  /** A period is not always a second. */
  @Test
  void whatIsWantedIsASecond() {
    Policy<?> policy = rates("a=20 MiB/s");
    assertThat(halfASecond(policy, TARGET, 4L << 20)).isEqualTo(4 << 20);
  }

  private static <S> double halfASecond(Policy<S> policy, Target target, long tokens) {
    return policy
        .decide(
            policy.initialState(Cluster.of(target)),
            Observation.of(target, SECOND, SECOND / 2, List.of(JobDemand.of("a", 1, tokens))))
        .allocation()
        .on("t")
        .reserved(0);
  }

  /** Bytes where the target counts these, operations where it counts those, and tokens anywhere. */
  @Test
  void aRateIsInWhatTheTargetCounts() {
    Target operations = new Target("t", 1_000, TokenUnit.OPERATIONS);
    assertThat(halfASecond(rates("a=100 ops/s"), operations, 400)).isEqualTo(50);
    assertThat(halfASecond(rates("a=100 tokens/s"), operations, 400)).isEqualTo(50);
    assertThat(halfASecond(rates("a=100 B/s"), operations, 400)).isZero();
    assertThat(halfASecond(rates("a=0 B/s"), TARGET, 400)).isZero();
    assertThat(halfASecond(rates("a=100 B/s"), TARGET, 400)).isEqualTo(50);
    Target most = new Target("t", Rate.TOKENS_PER_SECOND_MAX, TokenUnit.BYTES);
    assertThat(halfASecond(rates("a=9000000 GB/s"), most, JobDemand.TOKENS_MAX))
        .isCloseTo(0.9 * Rate.TOKENS_PER_SECOND_MAX / 2, within(1e6));
    assertThatThrownBy(() -> rates("a"))
        .hasMessage("rates: \"a\": expected job=rate, such as climate=2 GB/s, test-*=50 MB/s");
  }

  /**
   * All of it where it asks for as much or more, a part where it asks for less, and never nothing.
   */
  @Test
  void whoHasARateWeighsByThePartOfItThatItAsksForHere() {
    Map<String, String> settings =
        Map.of("rates", "a=1000 B/s, b=1000 B/s, c=1000 B/s, d=100 ops/s", "weights", "b=20");
    Shares shares =
        decide(
                factory().create(new Settings(factory().info(), settings)),
                1,
                List.of(
                    JobDemand.of("a", 10, 2_000),
                    new JobDemand(JobId.of("b"), 10, 260, 5_000),
                    JobDemand.of("c", 10, 0),
                    JobDemand.of("d", 10, 0),
                    JobDemand.of("e", 10, 0)))
            .allocation()
            .on("t");
    assertThat(List.of(0, 1, 2, 3, 4).stream().map(shares::weight))
        .containsExactly(10L, 5L, 1L, 10L, 10L);
  }

  private Policy<?> rates(String rates) {
    return factory().create(new Settings(factory().info(), Map.of("rates", rates)));
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
