package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What policies are shown: its bounds, each tried on both sides. */
class WhatIsSeenTest {
  private static final JobDemand JOB = JobDemand.of("a", 3, 40);
  private static final Target ONE = new Target("t1", 100, TokenUnit.OPERATIONS);
  private static final Target TWO = new Target("t2", 200, TokenUnit.OPERATIONS);

  @Test
  void demandHasBounds() {
    assertThat(JOB.withNodes(1).nodes()).isEqualTo(1);
    assertThat(JOB.withNodes(JobClaim.NODES_MAX).nodes()).isEqualTo(JobClaim.NODES_MAX);
    refused(() -> JOB.withNodes(0), "job a: nodes must be 1 to");
    refused(() -> JOB.withNodes(JobClaim.NODES_MAX + 1), "nodes must be");

    long most = JobDemand.TOKENS_MAX;
    assertThat(new JobDemand(JobId.of("a"), 1, most, most).wantedTokens()).isEqualTo(2 * most);
    assertThat(new JobDemand(JobId.of("a"), 1, 0, 0).wantedTokens()).isZero();
    refused(() -> new JobDemand(JobId.of("a"), 1, -1, 0), "demand must be 0 to");
    refused(() -> new JobDemand(JobId.of("a"), 1, 0, -1), "demand must be 0 to");
    refused(() -> new JobDemand(JobId.of("a"), 1, most + 1, 0), "demand must be 0 to");
    refused(() -> new JobDemand(JobId.of("a"), 1, 0, most + 1), "demand must be 0 to");

    assertThat(JOB.withProcesses(1).processes()).isEqualTo(1);
    assertThat(JOB.withProcesses(JobClaim.PROCESSES_MAX).processes())
        .isEqualTo(JobClaim.PROCESSES_MAX);
    refused(() -> JOB.withProcesses(0), "processes must be 1 to");
    refused(() -> JOB.withProcesses(JobClaim.PROCESSES_MAX + 1), "processes must be 1 to");

    assertThat(JOB.withWeight(1).weight()).isEqualTo(1);
    assertThat(JOB.withWeight(JobClaim.WEIGHT_MAX).weight()).isEqualTo(JobClaim.WEIGHT_MAX);
    refused(() -> JOB.withWeight(0), "its weight must be 1 to");
    refused(() -> JOB.withWeight(JobClaim.WEIGHT_MAX + 1), "its weight must be 1 to");

    assertThat(JOB.reservedPerSecond()).isEqualTo(JobClaim.NOT_RESERVED);
    assertThat(JOB.withReserved(JobClaim.NOT_RESERVED)).isEqualTo(JOB);
    assertThat(JOB.withReserved(Rate.TOKENS_PER_SECOND_MAX).reservedPerSecond())
        .isEqualTo(Rate.TOKENS_PER_SECOND_MAX);
    refused(() -> JOB.withReserved(-2), "what is reserved a second must be 0 to");
    refused(
        () -> JOB.withReserved(Rate.TOKENS_PER_SECOND_MAX + 1),
        "what is reserved a second must be");
  }

  @Test
  void whatIsSeenOfServiceAndPhasesHasBounds() {
    assertThat(new JobService(0, 0, JobService.NOT_KNOWN)).isEqualTo(JobService.NONE);
    assertThat(new JobService(1, 2, 0).latencyNanos()).isZero();
    refused(() -> new JobService(-1, 0, 0), "-1 tokens served");
    refused(() -> new JobService(0, -1, 0), "waits for -1 ns");
    refused(() -> new JobService(0, 0, -2), "served within -2 ns");

    assertThat(JOB.phaseRestTokens()).isEqualTo(JobDemand.NOT_KNOWN);
    assertThat(JOB.withPhaseRest(JobDemand.NOT_KNOWN)).isEqualTo(JOB);
    assertThat(JOB.withPhaseRest(0).phaseRestTokens()).isZero();
    refused(() -> JOB.withPhaseRest(-2), "job a: -2 tokens are left of its phase");

    assertThat(JOB.withReserved(0).reservedPerSecond()).isZero();
  }

  @Test
  void whatIsSaidOfPhasesHasBounds() {
    JobClaim claim = JobClaim.of(JobId.of("a"), 1);
    assertThat(claim.withPhase(0).phaseTokens()).isZero();
    assertThatThrownBy(() -> claim.withPhase(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the tokens of a phase");
  }

  @Test
  void whatIsToldOfAJobStaysWhenMoreIsTold() {
    JobDemand told =
        JOB.withWeight(2)
            .withProcesses(5)
            .withApplication(JobId.of("x"))
            .withReserved(7)
            .withCadence(new Cadence.AtLeast(9))
            .withNodes(4);
    assertThat(told.job()).isEqualTo(JobId.of("a"));
    assertThat(told.nodes()).isEqualTo(4);
    assertThat(told.wantedTokens()).isEqualTo(40);
    assertThat(told.weight()).isEqualTo(2);
    assertThat(told.processes()).isEqualTo(5);
    assertThat(told.application()).isEqualTo(JobId.of("x"));
    assertThat(told.reservedPerSecond()).isEqualTo(7);
    assertThat(told.cadence()).isEqualTo(new Cadence.AtLeast(9));
  }

  @Test
  void cadencesHaveBounds() {
    assertThat(new Cadence.Every(1, 0).nanos()).isEqualTo(1);
    assertThat(new Cadence.Every(1, 1).confidence()).isEqualTo(1);
    refused(() -> new Cadence.Every(0, 0.5), "at least 1 ns");
    refused(() -> new Cadence.Every(1, -0.001), "a confidence from 0 to 1");
    refused(() -> new Cadence.Every(1, 1.001), "a confidence from 0 to 1");
    assertThat(new Cadence.AtLeast(1).nanos()).isEqualTo(1);
    refused(() -> new Cadence.AtLeast(0), "at least 1 ns");
    assertThat(new Cadence.Prioritised(1e-9).priority()).isEqualTo(1e-9);
    assertThat(new Cadence.Prioritised(1e3).priority()).isEqualTo(1e3);
    refused(() -> new Cadence.Prioritised(0.9e-9), "a priority is a number");
    refused(() -> new Cadence.Prioritised(1000.1), "a priority is a number");
  }

  @Test
  void observationsHavePeriodsAndJobsInOrder() {
    assertThat(Observation.of(ONE, 5, 1, List.of()).periodNanos()).isEqualTo(1);
    assertThat(Observation.of(ONE, 5, Observation.PERIOD_NANOS_MAX, List.of()).nowNanos())
        .isEqualTo(5);
    refused(() -> Observation.of(ONE, 5, 0, List.of()), "a period must be 1 ns to 1 h, not 0 ns");
    refused(() -> Observation.of(ONE, 5, Observation.PERIOD_NANOS_MAX + 1, List.of()), "not 36");

    List<JobDemand> backwards = List.of(JobDemand.of("b", 1, 1), JobDemand.of("a", 1, 1));
    assertThat(Observation.of(ONE, 5, 1, backwards).jobs())
        .extracting(JobDemand::job)
        .containsExactly(JobId.of("a"), JobId.of("b"));
    refused(() -> Observation.of(ONE, 5, 1, List.of(JOB, JOB)), "job a is there more than once");
    assertThat(Observation.of(ONE, 5, 1, List.of(JOB)).target()).isEqualTo(ONE);
    Cluster both = new Cluster(List.of(ONE, TWO));
    Observation two = new Observation(5, 1, both, Map.of("t1", List.of(JOB)), List.of());
    refused(two::jobs, "this policy treats each target alone and was given 2");
    assertThat(two.on("t1")).containsExactly(JOB);
    assertThat(two.on("t2")).as("nothing was seen of it").isEmpty();
    refused(
        () ->
            new Observation(
                5, 1, both, new TreeMap<>(Map.of("t1", List.of(), "t3", List.of())), List.of()),
        "target t3 is not among those that are decided about");
  }

  @Test
  void aClusterHasTargetsWithNamesOfTheirOwn() {
    assertThat(Cluster.of(ONE).only()).isEqualTo(ONE);
    refused(() -> new Cluster(List.of()), "a cluster has at least one target");
    refused(() -> new Cluster(List.of(ONE, ONE)), "two targets are called t1");
    refused(() -> new Cluster(List.of(ONE, TWO)).only(), "each target alone and was given 2");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
