package dev.sluice.history.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.model.Sample;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final Target DISK = new Target("disk", 1_000_000, TokenUnit.BYTES);
  private static final long SECOND = 1_000_000_000L;

  private static Totals totals(long nowNanos, int queued, List<Totals.OfJob> jobs) {
    return new Totals(
        nowNanos,
        nowNanos / 1_000_000,
        "fair",
        false,
        List.of(new Totals.OfTarget(DISK, true, queued, jobs)));
  }

  private static Totals.OfJob job(
      String id, long operations, long bytes, long waitedNanos, int queued) {
    return new Totals.OfJob(
        id, "u", 1, operations, bytes, 0, waitedNanos, queued, Double.POSITIVE_INFINITY);
  }

  /**
   * Whatever the looks, jobs that are forgotten and come back: no operation is lost or invented.
   */
  @Test
  void theSamplesAddUpToTheCounters() {
    SeededCases.forAll(
        300,
        random -> {
          Sampler sampler = new Sampler();
          Map<String, Long> counters = new HashMap<>();
          long grown = 0;
          long sampled = 0;
          long now = SECOND;
          assertThat(sampler.look(totals(now, 0, List.of()))).isNull();
          for (int look = 0; look < 30; look++) {
            now += random.nextLong(1_000_000, 3 * SECOND);
            for (int i = random.nextInt(5); i > 0; i--) {
              long more = random.nextInt(1, 100);
              counters.merge("j" + random.nextInt(8), more, Long::sum);
              grown += more;
            }
            List<Totals.OfJob> jobs = new ArrayList<>();
            counters.forEach((id, operations) -> jobs.add(job(id, operations, 0, 0, 0)));
            Sample sample = Objects.requireNonNull(sampler.look(totals(now, 0, jobs)));
            for (Sample.OfJob job : sample.targets().getFirst().jobs()) {
              sampled += job.operations();
              assertThat(job.operations()).as("an idle job is left out").isPositive();
            }
            assertThat(sampled).isEqualTo(grown);
            // Forgotten between two looks, as the gateway forgets whoever is idle for long.
            counters.keySet().removeIf(_ -> random.nextInt(10) == 0);
            List<Totals.OfJob> remembered = new ArrayList<>();
            counters.forEach((id, operations) -> remembered.add(job(id, operations, 0, 0, 0)));
            now += 2_000_000;
            sampler.look(totals(now, 0, remembered));
          }
        });
  }

  @Test
  void saysWhoIsHeldBackAndWhatIsSaturated() {
    Sampler sampler = new Sampler();
    sampler.look(totals(0, 0, List.of()));
    Sample busy =
        Objects.requireNonNull(
            sampler.look(
                totals(
                    SECOND,
                    7,
                    List.of(
                        job("patient", 10, 950_000, 200_000_000, 1),
                        job("quick", 10, 0, 1_000_000, 0),
                        job("starving", 0, 0, 0, 5)))));
    Sample.OfTarget target = busy.targets().getFirst();
    assertThat(target.saturatedMillis()).isEqualTo(1_000);
    assertThat(target.jobs())
        .extracting(Sample.OfJob::id, Sample.OfJob::heldBackMillis)
        .containsExactly(tuple("patient", 1_000), tuple("quick", 0), tuple("starving", 1_000));
    Sample calm =
        Objects.requireNonNull(
            sampler.look(totals(2 * SECOND, 0, List.of(job("quick", 20, 800_000, 0, 0)))));
    assertThat(calm.targets().getFirst().saturatedMillis()).isZero();
  }

  @Test
  void tooManyJobsAreAddedUp() {
    Sampler sampler = new Sampler();
    sampler.look(totals(0, 0, List.of()));
    List<Totals.OfJob> jobs = new ArrayList<>();
    for (int i = 1; i <= 3 * Sampler.JOBS_MAX; i++) {
      jobs.add(job("j" + i, i, i, 0, 1));
    }
    Sample sample = Objects.requireNonNull(sampler.look(totals(SECOND, 0, jobs)));
    List<Sample.OfJob> kept = sample.targets().getFirst().jobs();
    assertThat(kept).hasSize(Sampler.JOBS_MAX);
    assertThat(kept.getFirst().id()).isEqualTo("j" + 3 * Sampler.JOBS_MAX);
    assertThat(kept.getLast().id()).isEqualTo(Sample.OTHERS);
    long all = 3L * Sampler.JOBS_MAX;
    assertThat(kept.stream().mapToLong(Sample.OfJob::operations).sum())
        .isEqualTo(all * (all + 1) / 2);
    assertThat(kept.getLast().queued()).isEqualTo(2 * Sampler.JOBS_MAX + 1);
  }
}
