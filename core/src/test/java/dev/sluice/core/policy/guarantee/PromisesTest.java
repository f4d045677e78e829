package dev.sluice.core.policy.guarantee;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.JobOwner;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Minimums and latencies of two who may promise, side by side. */
class PromisesTest {
  private static final Target DISK = new Target("disk", 100_000_000, TokenUnit.BYTES);
  private static final Guarantee MINIMUM =
      new Guarantee(Guarantee.Who.USER, "a", 20_000_000, Quantities.Counted.BYTES);
  private static final Guarantee HIGHER =
      new Guarantee(Guarantee.Who.USER, "a", 30_000_000, Quantities.Counted.BYTES);
  private static final Goal GOAL = new Goal(Guarantee.Who.USER, "b", 20_000_000);
  private static final Goal SHORTER = new Goal(Guarantee.Who.USER, "b", 10_000_000);

  private static Promises of(List<Guarantee> minimums, List<Goal> goals) {
    return new Promises(new Guarantees(minimums), new Goals(goals));
  }

  private static JobOwner owner(JobId job) {
    return new JobOwner("", job.toString().substring(0, 1), "");
  }

  @Test
  void eitherKindIsAPromise() {
    assertThat(Promises.NONE.isEmpty()).isTrue();
    assertThat(of(List.of(MINIMUM), List.of()).isEmpty()).isFalse();
    assertThat(of(List.of(), List.of(GOAL)).isEmpty()).isFalse();
  }

  @Test
  void whatComesFirstCountsAndTheRestIsThere() {
    Promises first = of(List.of(MINIMUM), List.of(GOAL));
    Promises second = of(List.of(HIGHER), List.of(SHORTER));
    assertThat(first.before(second))
        .isEqualTo(of(List.of(MINIMUM, HIGHER), List.of(GOAL, SHORTER)));
    assertThat(first.before(Promises.NONE)).isEqualTo(first);
    assertThat(Promises.NONE.before(second)).isEqualTo(second);
    assertThat(Promises.NONE.before(Promises.NONE)).isEqualTo(Promises.NONE);
    Promises minimum = of(List.of(MINIMUM), List.of());
    Promises goal = of(List.of(), List.of(GOAL));
    assertThat(minimum.before(goal)).isEqualTo(first);
    assertThat(goal.before(minimum)).isEqualTo(first);
    JobId job = JobId.of("a-1");
    assertThat(first.before(second).guarantees().of(job, owner(job))).isEqualTo(MINIMUM);
  }

  @Test
  void withoutGoalsMinimumsStay() {
    assertThat(of(List.of(MINIMUM), List.of(GOAL)).withoutGoals())
        .isEqualTo(of(List.of(MINIMUM), List.of()));
  }

  @Test
  void bothReserve() {
    List<JobDemand> seen =
        List.of(JobDemand.of("a-1", 1, 90_000_000), JobDemand.of("b-1", 1, 1_000_000));
    List<JobDemand> reserved =
        of(List.of(MINIMUM), List.of(GOAL)).reserve(DISK, seen, PromisesTest::owner, 1_000_000_000);
    assertThat(reserved).hasSize(2);
    assertThat(reserved.get(0).reservedPerSecond()).isGreaterThanOrEqualTo(20_000_000);
    assertThat(reserved.get(1).reservedPerSecond()).isEqualTo(25_000_000);
    assertThat(Promises.NONE.reserve(DISK, seen, PromisesTest::owner, 1_000_000_000))
        .isEqualTo(seen);
  }
}
