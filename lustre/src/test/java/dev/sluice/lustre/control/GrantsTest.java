package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.Shares;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GrantsTest {
  private static final long SECOND = 1_000_000_000L;

  private static ManagedJob job(int number, long wanted, boolean heldBack) {
    LustreJobId id = new LustreJobId(String.format("job%03d", number));
    ManagedJob job = new ManagedJob(id, JobPattern.of(id, LustreVersion.of(2, 17, 57)));
    job.wantedRpcs = wanted;
    job.heldBack = heldBack;
    return job;
  }

  private static Shares weights(List<ManagedJob> jobs, long... weights) {
    JobId[] ids = jobs.stream().map(job -> job.shown).toArray(JobId[]::new);
    long[] unlimited = new long[ids.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    return Shares.ofColumns(ids, unlimited, weights, SECOND);
  }

  @Test
  void weightsBecomeRatesAndWhatIsNotWantedGoesToTheOthers() {
    List<ManagedJob> jobs = List.of(job(1, 2_000, true), job(2, 2_000, true), job(3, 100, false));
    Grants.divide(jobs, weights(jobs, 3, 1, 4), 1_000);

    assertThat(jobs.get(0).granted).isCloseTo(675, within(0.01));
    assertThat(jobs.get(1).granted).isCloseTo(225, within(0.01));
    assertThat(jobs.get(2).granted).isCloseTo(100, within(0.01));
  }

  @Test
  void aReserveComesFirst() {
    List<ManagedJob> jobs = List.of(job(1, 2_000, true), job(2, 2_000, true));
    Shares shares = weights(jobs, 9, 1).withReserves(new long[] {0, 400});
    Grants.divide(jobs, shares, 1_000);

    assertThat(jobs.get(0).granted).isCloseTo(600, within(0.01));
    assertThat(jobs.get(1).granted).isCloseTo(400, within(0.01));
  }

  @Test
  void theWholeBudgetIsGivenOut() {
    SeededCases.forAll(
        500,
        random -> {
          List<ManagedJob> jobs = new ArrayList<>();
          long[] weights = new long[random.nextInt(1, 40)];
          for (int i = 0; i < weights.length; i++) {
            weights[i] = random.nextInt(1, 100);
            jobs.add(job(i, random.nextInt(500), random.nextInt(3) == 0));
          }
          double budget = random.nextDouble(1, 5_000);
          Grants.divide(jobs, weights(jobs, weights), budget);

          double sum = jobs.stream().mapToDouble(job -> job.granted).sum();
          assertThat(sum).isCloseTo(budget, within(1e-6 * budget + 1e-6));
          assertThat(jobs).allMatch(job -> job.granted >= 0);
        });
  }
}
