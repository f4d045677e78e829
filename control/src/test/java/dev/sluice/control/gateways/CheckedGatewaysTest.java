package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.access.Refusals;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.v1.JobDemand;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.TargetsReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.TargetNames;
import dev.sluice.store.lease.Leader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is believed of a gateway, what it is told of the rest, and when it has part. */
class CheckedGatewaysTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final Refusals refusals = new Refusals();
  private final TargetPlane plane =
      new TargetPlane(
          PolicyChoice.of("bsip", Map.of("period", "1 s")),
          PolicyControls.FORGETFUL,
          Runnable::run,
          loop,
          () -> new Leader(1, 1),
          refusals,
          0);

  /** Says that alice's job, the first of its own, has ten million nodes. */
  private static Gate claimsMuch(String job) {
    return new Gate("x", List.of("d1"), List.of(job), Gate.Pauses.NONE) {
      @Override
      TargetsReport report(int period) {
        TargetsReport.Builder report = super.report(period).toBuilder();
        report.getTargetsBuilder(0).getJobsBuilder(0).setNodes(10_000_000);
        return report.build();
      }
    };
  }

  private String objections(JobCheck check, Gate gate) throws RefusedException {
    plane.check(check);
    MemberSession session = plane.join(gate.hello(0), Mandate.GATEWAY, gate, loop.nowNanos());
    for (int period = 1; period <= 3; period++) {
      loop.runUntil(period * Gate.PERIOD_NANOS + 1);
      session.received(
          MemberMessage.newBuilder().setTargets(gate.report(0)).build(), loop.nowNanos());
      loop.runUntil(loop.nowNanos());
    }
    assertThat(refusals.counts()).as("noted down once").containsEntry(Refusals.Kind.JOB, 1L);
    assertThat(gate.orders.getTrouble())
        .isEqualTo(
            "it counts some of our jobs otherwise: "
                + refusals.recent(loop.nowNanos()).getFirst().why());
    return gate.orders.getTrouble();
  }

  @Test
  void whatTheDirectoryKnowsOfAJobIsBelieved() throws Exception {
    assertThat(objections(GatewayWorld.directory(4), claimsMuch("job1")))
        .endsWith("job job1 with nodes 4, not 10000000 as x says");
  }

  @Test
  void aJobThatTheDirectoryDoesNotHaveIsOneNode() throws Exception {
    assertThat(objections(GatewayWorld.directory(4), claimsMuch("other")))
        .endsWith("job other with nodes 1, not 10000000 as x says, as far as is known");
  }

  @Test
  void withoutADirectoryAKeyThatSpeaksForNoNodeHasJobsOfOne() throws Exception {
    assertThat(objections(JobCheck.NONE, claimsMuch("job1")))
        .endsWith(
            "job job1 with nodes 1, not 10000000 as x says, as its key has it: no directory of"
                + " jobs says otherwise");
  }

  /** On loopback, where whoever can connect is on the machine. */
  @Test
  void whoMaySayAnythingIsBelieved() throws Exception {
    Gate gate = claimsMuch("job1");
    MemberSession session = plane.join(gate.hello(0), Mandate.ANYTHING, gate, 0);
    loop.runUntil(Gate.PERIOD_NANOS + 1);
    session.received(
        MemberMessage.newBuilder().setTargets(gate.report(0)).build(), Gate.PERIOD_NANOS);
    loop.runUntil(loop.nowNanos());
    assertThat(gate.orders.getTrouble()).isEmpty();
  }

  @Test
  void aGatewayHasNoTargetsButItsOwnAndTheyServeWhatItsKeySays() throws Exception {
    Gate gate = new Gate("x", List.of("d1", "d2"), List.of("job1"), Gate.Pauses.NONE);
    assertThatThrownBy(() ->
            plane.join(
                gate.hello(0), Mandate.gatewayWith(TargetNames.parse("d1,d3=5MB/s")), gate, 0))
        .hasMessage("target d2 is not one of those of x: d1,d3=5MB/s");
    plane.join(gate.hello(0), Mandate.gatewayWith(TargetNames.parse("d1,d2=5MB/s")), gate, 0);
    assertThat(plane.gateways().getFirst().targets())
        .extracting(one -> one.target().tokensPerSecond())
        .containsExactly(Gate.CAPACITY, 5_000_000L);
  }

  @Test
  void whoServedMoreThanItsTargetsCanIsTold() throws Exception {
    Gate gate =
        new Gate("x", List.of("d1"), List.of("job1"), Gate.Pauses.NONE) {
          @Override
          JobDemand.Builder demand(int disk, String job, int period) {
            return super.demand(disk, job, period).setServedTokens(3 * Gate.CAPACITY);
          }
        };
    assertThat(objections(GatewayWorld.directory(1), gate))
        .endsWith("job job1 is served more on x/d1 than that can serve");
  }

  @Test
  void whoReportsOfSomeOfItsTargetsOrOfAJobTwiceIsRefused() throws Exception {
    Gate gate = new Gate("x", List.of("d1", "d2"), List.of("job1"), Gate.Pauses.NONE);
    MemberSession session = plane.join(gate.hello(0), Mandate.GATEWAY, gate, 0);
    TargetsReport report = gate.report(0);
    assertThatThrownBy(() ->
            session.received(
                MemberMessage.newBuilder().setTargets(report.toBuilder().removeTargets(1)).build(),
                1))
        .hasMessage("a report about 1 of 2 targets; expected all");
    TargetsReport.Builder twice = report.toBuilder();
    twice.getTargetsBuilder(0).addJobs(twice.getTargets(0).getJobs(0));
    assertThatThrownBy(
            () -> session.received(MemberMessage.newBuilder().setTargets(twice).build(), 1))
        .hasMessage("a report with job job1 twice on a target");
  }

  /**
   * As one that takes over from another, by whose name it goes: it need not wait for a decision.
   */
  @Test
  void whoComesSoonAfterOneOfItsNameHasLeftIsToldAtOnceWhatHolds() throws Exception {
    Gate before = new Gate("x", List.of("d1"), List.of("job1", "job2"), Gate.Pauses.NONE);
    MemberSession session = plane.join(before.hello(0), before.mandate(), before, 0);
    loop.runUntil(Gate.PERIOD_NANOS);
    report(session, before.report(0));
    assertThat(before.perSecond(0, "job1")).isEqualTo(Gate.CAPACITY / 2.0);

    session.ended(loop.nowNanos());
    loop.runUntil(loop.nowNanos() + Gate.PERIOD_NANOS);
    Gate soon = new Gate("x", List.of("d1"), List.of("job1"), Gate.Pauses.NONE);
    plane.join(soon.hello(0), soon.mandate(), soon, loop.nowNanos()).ended(loop.nowNanos());
    assertThat(soon.perSecond(0, "job1")).isEqualTo(Gate.CAPACITY / 2.0);

    loop.runUntil(loop.nowNanos() + 5 * Gate.PERIOD_NANOS);
    Gate later = new Gate("x", List.of("d1"), List.of("job1"), Gate.Pauses.NONE);
    plane.join(later.hello(0), later.mandate(), later, loop.nowNanos());
    assertThat(later.shares).as("what was decided long ago").isEmpty();
  }

  /**
   * One that has died was waited for in vain. Its heir, which goes by its name, is a little later
   * than the others with each report. Its first says that it is there, and with its second it has
   * part in the decision.
   */
  @Test
  void whoTakesThePlaceOfOneThatDiedHasPartInTheSecondDecision() throws Exception {
    plane.check(GatewayWorld.directory(1));
    Gate stays = new Gate("g0", List.of("d1"), List.of("job1"), Gate.Pauses.NONE);
    Gate dies = new Gate("x", List.of("d1"), List.of("job1"), Gate.Pauses.NONE);
    MemberSession staying = plane.join(stays.hello(0), stays.mandate(), stays, loop.nowNanos());
    MemberSession dying = plane.join(dies.hello(0), dies.mandate(), dies, loop.nowNanos());
    Gate heir = new Gate("x", List.of("d1"), List.of("job1", "job2"), Gate.Pauses.NONE);
    MemberSession inherited = null;
    for (int period = 1; period <= 10; period++) {
      loop.runUntil(period * Gate.PERIOD_NANOS);
      if (period == 3) {
        dying.ended(loop.nowNanos());
      }
      // It was told before when to report: what it is told meanwhile is about the next time.
      TargetsReport late = inherited == null ? null : heir.report(0);
      report(staying, stays.report(0));
      loop.runUntil(loop.nowNanos() + Gate.PERIOD_NANOS / 50);
      if (period < 3) {
        report(dying, dies.report(0));
      }
      if (inherited != null && late != null) {
        report(inherited, late);
      }
      loop.runUntil(loop.nowNanos() + Gate.PERIOD_NANOS / 2);
      if (period == 8) {
        inherited = plane.join(heir.hello(0), heir.mandate(), heir, loop.nowNanos());
      }
    }
    assertThat(heir.shares.get(0)).isNotNull();
    assertThat(heir.perSecond(0, "job2")).isEqualTo(Gate.CAPACITY / 2.0);
    assertThat(stays.perSecond(0, "job1"))
        .as("as slow as on the other")
        .isEqualTo(Gate.CAPACITY / 2.0);
  }

  private void report(MemberSession session, TargetsReport report) throws RefusedException {
    session.received(MemberMessage.newBuilder().setTargets(report).build(), loop.nowNanos());
    loop.runUntil(loop.nowNanos());
  }
}
