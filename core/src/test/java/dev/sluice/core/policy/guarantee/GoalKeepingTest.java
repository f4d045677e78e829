package dev.sluice.core.policy.guarantee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several goals on one target: who is held back for whom, and what is said of it. */
class GoalKeepingTest {
  private static final long MILLI = 1_000_000L;
  private static final double CAPACITY = 100_000_000;
  private static final Goal ALICES = new Goal(Guarantee.Who.USER, "alice", 20 * MILLI);
  private static final Goal BOBS = new Goal(Guarantee.Who.USER, "bob", 50 * MILLI);
  private static final Goals GOALS = new Goals(List.of(ALICES, BOBS));

  private final GoalMeter alice = new GoalMeter(ALICES);
  private final GoalMeter bob = new GoalMeter(BOBS);

  @Test
  void aGoalIsBetweenATenthOfAMillisecondAndTenSeconds() {
    assertThat(new Goal(Guarantee.Who.USER, "a", Goal.LATENCY_NANOS_MIN).latencyNanos())
        .isEqualTo(100_000);
    assertThat(new Goal(Guarantee.Who.USER, "a", Goal.LATENCY_NANOS_MAX).latencyNanos())
        .isEqualTo(10_000_000_000L);
    assertThat(Goals.NONE.isEmpty()).isTrue();
    assertThat(GOALS.isEmpty()).isFalse();
  }

  @Test
  void jobsAreSeenByTheirGoals() {
    alice.served(1_000, 16 * MILLI + 1);
    alice.served(500, 20 * MILLI + 1);
    bob.served(7, 10 * MILLI);
    GoalMeter alicesOther = new GoalMeter(ALICES);
    alicesOther.served(3, MILLI);
    GoalLook look = new GoalLook(GOALS);
    look.job(alice, true, 20 * MILLI + 1);
    look.job(alicesOther, false, 0);
    look.job(bob, true, MILLI);
    assertThat(alice.goal()).isEqualTo(ALICES);
    assertThat(look.own())
        .containsExactly(
            new GoalService(3, 1, 2, true, true, 1_503), new GoalService(1, 0, 0, true, false, 7));
    // What was counted is not counted again.
    GoalLook next = new GoalLook(GOALS);
    next.job(alice, false, 0);
    assertThat(next.own()).containsExactly(GoalService.NONE, GoalService.NONE);
  }

  @Test
  void bothOfTwoJobsCount() {
    GoalService waits = new GoalService(0, 0, 0, true, false, 0);
    GoalService lateWaits = new GoalService(0, 0, 0, true, true, 0);
    assertThat(waits.plus(GoalService.NONE)).isEqualTo(waits);
    assertThat(GoalService.NONE.plus(waits)).isEqualTo(waits);
    assertThat(lateWaits.plus(waits)).isEqualTo(lateWaits);
    assertThat(waits.plus(lateWaits)).isEqualTo(lateWaits);
    assertThat(GoalService.NONE.plus(GoalService.NONE)).isEqualTo(GoalService.NONE);
  }

  @Test
  void othersAreStrangersAndThoseOfOtherGoals() {
    GoalLook nobody = new GoalLook(GOALS);
    nobody.job(alice, true, 0);
    assertThat(nobody.othersWait(0)).isFalse();
    assertThat(nobody.othersWait(1)).isTrue();

    GoalLook stranger = new GoalLook(GOALS);
    stranger.job(null, true, 0);
    stranger.job(null, false, 0);
    assertThat(stranger.othersWait(0)).isTrue();
    assertThat(stranger.othersWait(1)).isTrue();

    GoalLook idle = new GoalLook(GOALS);
    idle.job(null, false, 0);
    // A goal that was taken back in the meantime is nobody's.
    idle.job(new GoalMeter(new Goal(Guarantee.Who.USER, "eve", MILLI)), false, 0);
    assertThat(idle.othersWait(0)).isFalse();
    idle.job(new GoalMeter(new Goal(Guarantee.Who.USER, "eve", MILLI)), true, 0);
    assertThat(idle.othersWait(0)).isTrue();
  }

  /** Alice is late and bob is not: the target is held for her alone. */
  private GoalKeeping withAliceLate() {
    GoalKeeping keeping = new GoalKeeping(GOALS, 0);
    long heldTo = StepBack.FREE;
    for (int i = 1; i <= 40; i++) {
      boolean late = i > 20;
      alice.served(1_000, (late ? 30 : 1) * MILLI);
      bob.served(1_000, MILLI);
      GoalLook look = new GoalLook(GOALS);
      look.job(alice, late, 0);
      look.job(bob, false, 0);
      look.job(null, true, 0);
      heldTo = keeping.look(look, CAPACITY, false, 10_000_000, i * GoalKeeping.LOOK_NANOS);
      if (!late) {
        assertThat(heldTo).isEqualTo(StepBack.FREE);
      }
    }
    assertThat(heldTo).isBetween(75_000_000L, 95_000_000L);
    assertThat(heldTo).isEqualTo(keeping.stepBacks().getFirst().heldTo(CAPACITY));
    return keeping;
  }

  @Test
  void theTargetIsHeldForWhoIsLate() {
    GoalKeeping keeping = withAliceLate();
    assertThat(keeping.stepBacks()).extracting(StepBack::goal).containsExactly(ALICES, BOBS);
    assertThat(keeping.stepBacks().getFirst().part()).isLessThan(1);
    assertThat(keeping.stepBacks().getLast().part()).isEqualTo(1);
  }

  private record Said(String summary, List<Reason> reasons) implements Explanation {
    @Override
    public Map<String, Number> amounts() {
      return Map.of("moved", 1);
    }

    @Override
    public Map<String, Number> levels() {
      return Map.of("left", 2);
    }
  }

  private static Goal goalOf(JobId job) {
    return job.toString().startsWith("a") ? ALICES : BOBS;
  }

  @Test
  void whoIsHeldBackIsToldForWhom() {
    Explanation decision =
        new Said(
            "shared",
            List.of(
                new Explanation.Reason(JobId.of("a1"), Map.of("allocated", 5), "half"),
                new Explanation.Reason(JobId.of("b1"), Map.of("allocated", 5), "half")));
    assertThat(WithGoals.of(decision, List.of(), GoalKeepingTest::goalOf)).isSameAs(decision);

    List<StepBack> kept = withAliceLate().stepBacks();
    Explanation told = WithGoals.of(decision, kept, GoalKeepingTest::goalOf);
    assertThat(told.summary())
        .isEqualTo("shared; " + kept.getFirst().words() + "; " + kept.getLast().words());
    assertThat(told.reasons())
        .extracting(Explanation.Reason::words)
        .containsExactly("half", "half; held back for alice's goal of 20 ms");
    assertThat(told.reasons().getLast().figure("allocated")).isEqualTo(5);
    assertThat(told.amounts()).isEqualTo(Map.of("moved", 1));
    assertThat(told.levels()).isEqualTo(Map.of("left", 2));

    Explanation free =
        WithGoals.of(decision, new GoalKeeping(GOALS, 0).stepBacks(), GoalKeepingTest::goalOf);
    assertThat(free.reasons()).isEqualTo(decision.reasons());
  }
}
