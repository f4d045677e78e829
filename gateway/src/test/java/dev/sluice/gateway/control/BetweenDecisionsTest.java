package dev.sluice.gateway.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.jobs.JobDirectory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A gateway looks at its targets between two decisions, whoever takes these. */
class BetweenDecisionsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long LOOK = SECOND / 10;
  private static final long MEGABYTE = 1_000_000;
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");
  private static final JobId LATE = JobId.of("late");

  /** It can serve 100 MB/s. */
  private final FakeTarget disk = new FakeTarget("disk");

  private ControlLoop loop(String policy, Map<String, String> settings, boolean observesOnly) {
    return new ControlLoop(
        new ControlPlan(
            PolicyChoice.of(policy, settings),
            observesOnly,
            List.of(disk),
            List.of(),
            JobDirectory.EMPTY),
        new DecisionSetting(Runnable::run, () -> {}, PolicyControls.FORGETFUL, 0),
        0);
  }

  private double megabytes(JobId job) {
    int index = disk.shares.indexOf(job);
    return index < 0 ? Double.NaN : disk.shares.tokensPerSecond(index) / MEGABYTE;
  }

  /** Decides that both may have half, at 10 s. */
  private void decide(ControlLoop loop) {
    disk.arrived.put(A, 1_000 * MEGABYTE);
    disk.arrived.put(B, 1_000 * MEGABYTE);
    loop.tick(0);
    loop.tick(10 * SECOND);
  }

  @Test
  void whatOneLeavesIsLentToTheOtherUntilItWantsItAgain() {
    ControlLoop loop = loop("bsip", Map.of(), false);
    decide(loop);
    assertThat(megabytes(A)).isEqualTo(50, within(1e-3));
    disk.wanted.put(A, 100 * MEGABYTE);
    disk.wanted.put(LATE, MEGABYTE);
    assertThat(loop.tick(10 * SECOND + LOOK)).as("the next look").isEqualTo(10 * SECOND + 2 * LOOK);
    assertThat(megabytes(A)).isEqualTo(90, within(1e-3));
    assertThat(megabytes(B)).as("it keeps its limit").isEqualTo(50, within(1e-3));
    assertThat(megabytes(LATE)).isGreaterThanOrEqualTo(10);

    JobExplanation why = loop.explain(A, 10 * SECOND + LOOK).getFirst();
    assertThat(why.summary())
        .endsWith(
            "; since then on disk: 1 job leaves 50 MB/s, 1 job has more than it was given, and 1"
                + " that came since is served");
    assertThat(Objects.requireNonNull(why.reason()).words())
        .endsWith("since then on disk it may have 90 MB/s for now: others leave some of theirs");
    JobExplanation ofLate = loop.explain(LATE, 10 * SECOND + LOOK).getFirst();
    assertThat(Objects.requireNonNull(ofLate.reason()).words())
        .startsWith("on disk it may have ")
        .endsWith("it came after the decision");

    disk.wanted.put(B, 100 * MEGABYTE);
    disk.wanted.remove(LATE);
    loop.tick(10 * SECOND + 2 * LOOK);
    assertThat(megabytes(A)).isEqualTo(50, within(1e-3));
    assertThat(megabytes(B)).isEqualTo(50, within(1e-3));
  }

  @Test
  void whoIsToldNotToLendLooksAtNothing() {
    ControlLoop loop = loop("bsip", Map.of("lending", "0 s"), false);
    decide(loop);
    disk.wanted.put(A, 100 * MEGABYTE);
    loop.tick(10 * SECOND + LOOK);
    assertThat(disk.looks).isZero();
    assertThat(megabytes(A)).isEqualTo(50, within(1e-3));
  }

  @Test
  void nothingIsEnforcedWhereOneOnlyObserves() {
    ControlLoop loop = loop("bsip", Map.of(), true);
    decide(loop);
    int before = disk.reconfigured;
    disk.wanted.put(A, 100 * MEGABYTE);
    loop.tick(10 * SECOND + LOOK);
    assertThat(disk.looks).isPositive();
    assertThat(disk.reconfigured).isEqualTo(before);
  }

  /** Who decides about many gateways cannot look at each target ten times a second. */
  @Test
  void whatSomebodyElseDecidedIsAdjustedHere() {
    ControlLoop loop = loop("fair", Map.of(), false);
    PolicyChoice gift = PolicyChoice.of("gift", Map.of());
    loop.obey(gift, Map.of("disk", half(disk.target)), "half for both", 0);
    assertThat(megabytes(A)).isEqualTo(50, within(1e-3));
    loop.tick(0);
    disk.wanted.put(A, 100 * MEGABYTE);
    assertThat(loop.tick(LOOK)).isEqualTo(2 * LOOK);
    assertThat(megabytes(A)).isEqualTo(100, within(1e-3));
    assertThat(megabytes(B)).isEqualTo(50, within(1e-3));
    assertThat(loop.explain(A, LOOK).getFirst().summary())
        .startsWith("the controller says: half for both; since then on disk: 1 job leaves 50 MB/s");

    loop.obey(gift, Map.of("disk", half(disk.target)), "half for both", 2 * LOOK);
    assertThat(megabytes(A)).as("a later decision").isEqualTo(50, within(1e-3));
    loop.tick(2 * LOOK);
    assertThat(megabytes(A)).isEqualTo(100, within(1e-3));

    PolicyChoice asInThePaper = PolicyChoice.of("gift", Map.of("lending", "0 s"));
    loop.obey(asInThePaper, Map.of("disk", half(disk.target)), "half for both", 3 * LOOK);
    loop.tick(3 * LOOK);
    assertThat(megabytes(A)).isEqualTo(50, within(1e-3));

    loop.decideAgain(4 * LOOK);
    assertThat(disk.shares)
        .as("the gateway's own policy has decided nothing")
        .isEqualTo(Shares.NONE);
  }

  private static Shares half(Target target) {
    long tokens = target.tokensPerSecond() / 2;
    return Shares.ofColumns(
        new JobId[] {A, B}, new long[] {tokens, tokens}, new long[] {1, 1}, SECOND);
  }
}
