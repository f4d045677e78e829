package dev.sluice.core.policy.guarantee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {
  private static final Target DISK = new Target("disk", 100_000_000, TokenUnit.BYTES);
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;

  private static Goal goal(String user, long millis) {
    return new Goal(Guarantee.Who.USER, user, millis * MILLI);
  }

  /** Jobs a-1, a-2 are of user a. */
  private static JobOwner owner(JobId job) {
    return new JobOwner("", job.toString().substring(0, 1), "");
  }

  @Test
  void theFirstThatNamesAJobIsItsGoal() {
    Goals goals = new Goals(List.of(goal("a", 20), goal("a", 30), goal("b", 5)));
    assertThat(goals.of(JobId.of("a-1"), owner(JobId.of("a-1")))).isEqualTo(goal("a", 20));
    assertThat(goals.of(JobId.of("c-1"), owner(JobId.of("c-1")))).isNull();
    assertThat(goal("a", 20).possessive()).isEqualTo("a's goal of 20 ms");
  }

  @Test
  void whatIsNoGoalIsRefused() {
    assertThatThrownBy(() -> goal("", 20)).hasMessageContaining("somebody's");
    assertThatThrownBy(() -> goal("a", 0)).hasMessageContaining("100 us to 10 s");
    assertThatThrownBy(() -> goal("a", 10_001)).hasMessageContaining("to 10 s, not");
    assertThatThrownBy(() -> new GoalService(1, 2, 1, false, false, 0))
        .hasMessageContaining("2 late");
  }

  @Test
  void whoHasAGoalGoesFirstUpToAQuarter() {
    Goals goals = new Goals(List.of(goal("a", 20)));
    List<JobDemand> reserved =
        goals.reserve(
            DISK,
            List.of(
                JobDemand.of("a-1", 1, 1_000_000),
                JobDemand.of("a-2", 1, 0),
                JobDemand.of("b-1", 1, 90_000_000)),
            GoalsTest::owner,
            SECOND);
    assertThat(reserved)
        .extracting(JobDemand::reservedPerSecond)
        .containsExactly(13_000_000L, 12_000_000L, -1L);
  }

  @Test
  void whoIsNotThereIsNotAskedToShare() {
    Goals goals = new Goals(List.of(goal("a", 20), goal("b", 20)));
    List<JobDemand> alone = List.of(JobDemand.of("a-1", 1, 1_000_000));
    assertThat(goals.reserve(DISK, alone, GoalsTest::owner, SECOND))
        .extracting(JobDemand::reservedPerSecond)
        .containsExactly(25_000_000L);
  }

  @Test
  void allReservesTogetherLeaveATenthAndNoneIsLost() {
    SeededCases.forAll(
        1_000,
        random -> {
          Goals goals = new Goals(List.of(goal("a", 20), goal("b", 10)));
          List<JobDemand> seen = new ArrayList<>();
          long budget = 90_000_000;
          for (int i = 0; i < 1 + random.nextInt(9); i++) {
            String user = String.valueOf("abcd".charAt(random.nextInt(4)));
            long given = random.nextBoolean() ? -1 : random.nextLong(budget / 2);
            budget -= Math.max(0, given);
            seen.add(
                JobDemand.of(user + "-" + i, 1 + random.nextInt(4), random.nextLong(50_000_000))
                    .withReserved(given));
          }
          List<JobDemand> reserved = goals.reserve(DISK, seen, GoalsTest::owner, SECOND);
          long before = 0;
          long after = 0;
          for (int i = 0; i < seen.size(); i++) {
            assertThat(reserved.get(i).reservedPerSecond())
                .isGreaterThanOrEqualTo(seen.get(i).reservedPerSecond());
            boolean hasGoal = seen.get(i).job().toString().matches("[ab]-.*");
            if (!hasGoal) {
              assertThat(reserved.get(i)).isEqualTo(seen.get(i));
            }
            before += Math.max(0, seen.get(i).reservedPerSecond());
            after += Math.max(0, reserved.get(i).reservedPerSecond());
          }
          assertThat(after).isLessThanOrEqualTo(Math.min(90_000_000, before + 25_000_000));
        });
  }

  @Test
  void requestsAreCountedAsInTimeNearlyLateAndLate() {
    GoalMeter meter = new GoalMeter(goal("a", 20));
    meter.served(7, 16 * MILLI);
    meter.served(7, 16 * MILLI + 1);
    meter.served(7, 20 * MILLI);
    meter.served(7, 20 * MILLI + 1);
    GoalService served = new GoalService(4, 1, 3, true, false, 28);
    GoalService waiting = new GoalService(0, 0, 0, true, true, 0);
    assertThat(meter.take(true, 20 * MILLI)).isEqualTo(served);
    assertThat(meter.take(true, 20 * MILLI + 1)).isEqualTo(waiting);
    assertThat(meter.take(false, 0)).isEqualTo(GoalService.NONE);
    assertThat(served.plus(waiting)).isEqualTo(new GoalService(4, 1, 3, true, true, 28));
  }
}
