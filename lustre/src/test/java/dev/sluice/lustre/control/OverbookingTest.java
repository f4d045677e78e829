package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverbookingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double CAPACITY = 1_000;

  /**
   * @param idlePeriods for how long it has paused; 0 where it is active
   */
  private static ManagedJob job(int number, long nodes, int idlePeriods, double perSecond) {
    LustreJobId id = new LustreJobId(String.format("job%03d", number));
    ManagedJob job = new ManagedJob(id, JobPattern.of(id, LustreVersion.of(2, 17, 57)));
    job.nodes = nodes;
    job.idlePeriods = idlePeriods;
    job.perSecond = perSecond;
    job.activity = idlePeriods == 0 ? JobActivity.of(id, 1) : null;
    return job;
  }

  private static Overbooking after(int periods, long heldNanos) {
    Overbooking overbooking = new Overbooking();
    for (int i = 0; i < periods; i++) {
      overbooking.observe(heldNanos, SECOND);
    }
    return overbooking;
  }

  @Test
  void theOlderDecisionsBecomeTheMoreIsGiven() {
    assertThat(after(20, SECOND).part()).isEqualTo(0.2);
    assertThat(after(20, SECOND / 2).part()).isEqualTo(0.2);
    assertThat(after(20, 11 * SECOND / 10).part()).isBetween(0.5, 0.7);
    assertThat(after(20, 2 * SECOND).part()).isEqualTo(1);
    assertThat(after(0, SECOND).part()).isEqualTo(0.2);
  }

  @Test
  void whatPausingJobsWouldLeaveMayBeHadByWhoeverIsThere() {
    List<ManagedJob> jobs =
        List.of(job(1, 10, 0, 5), job(2, 30, 0, 700), job(3, 30, 1, 0), job(4, 30, 10, 0));
    after(20, 2 * SECOND).raise(jobs, CAPACITY, _ -> 0);

    // Of 67 nodes, since the third is counted for nine tenths and the fourth not at all.
    assertThat(jobs.get(0).perSecond).isCloseTo(CAPACITY * 37 / 67, within(1e-6));
    assertThat(jobs.get(1).perSecond).isCloseTo(CAPACITY * 57 / 67, within(1e-6));
    assertThat(jobs.get(2).perSecond).isZero();
  }

  @Test
  void whatIsGuaranteedIsNotGivenAway() {
    List<ManagedJob> jobs = List.of(job(1, 9, 0, 100), job(2, 1, 0, 600));
    after(20, 2 * SECOND).raise(jobs, CAPACITY, job -> job.nodes == 1 ? 600 : 0);

    assertThat(jobs.get(0).perSecond).isCloseTo(400, within(1e-6));
    assertThat(jobs.get(1).perSecond).isEqualTo(600);
  }

  @Test
  void nobodyHasLessAndNobodyMoreThanItsShareWhereNonePauses() {
    SeededCases.forAll(
        1_000,
        random -> {
          List<ManagedJob> jobs = new ArrayList<>();
          double nodes = 0;
          for (int i = random.nextInt(1, 40); i > 0; i--) {
            ManagedJob job = job(i, random.nextInt(1, 100), 0, random.nextDouble(CAPACITY));
            jobs.add(job);
            nodes += job.nodes;
          }
          double[] before = jobs.stream().mapToDouble(job -> job.perSecond).toArray();
          Overbooking overbooking = after(random.nextInt(5), random.nextLong(5 * SECOND));
          overbooking.raise(jobs, CAPACITY, _ -> 0);

          for (int i = 0; i < jobs.size(); i++) {
            double share = CAPACITY * jobs.get(i).nodes / nodes;
            assertThat(jobs.get(i).perSecond)
                .isCloseTo(
                    Math.max(before[i], overbooking.part() * share), within(1e-6 * CAPACITY));
          }
        });
  }
}
