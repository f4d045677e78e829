package dev.sluice.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.command.metrics.Busiest;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.target.ServiceTally;
import dev.sluice.gateway.target.TalliedJobs;
import dev.sluice.gateway.target.TargetTally;
import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class JobSeriesTest {
  private static final int JOBS = 12;
  private static final long SECOND = 1_000_000_000L;

  private static Map<String, ServiceTally> byJob(List<JobSeries.Series> series) {
    Map<String, ServiceTally> byJob = new HashMap<>();
    series.forEach(one -> byJob.put(one.job(), one.served()));
    return byJob;
  }

  /** Jobs come, go, are forgotten and come again, between looks and without any. */
  private static void liveOn(TalliedJobs jobs, RandomGenerator random) {
    for (int i = random.nextInt(30); i > 0; i--) {
      int number = random.nextInt(JOBS);
      // One job may have the very name that all others have together.
      JobId job = JobId.of(number == 0 ? Busiest.OTHER : "job" + number);
      if (random.nextInt(8) == 0) {
        jobs.forget(job);
      } else {
        Operation[] operations = Operation.values();
        jobs.serve(
            job,
            operations[random.nextInt(operations.length)],
            random.nextInt(1 << 20),
            random.nextLong(20 * SECOND));
      }
    }
  }

  @Test
  void nothingGoesBackAndNothingIsLost() {
    SeededCases.forAll(
        3_000,
        random -> {
          int namedMax = random.nextInt(6);
          JobSeries series = new JobSeries(namedMax);
          TalliedJobs jobs = new TalliedJobs();
          Map<String, ServiceTally> before = Map.of();
          long nowNanos = random.nextLong();
          for (int look = 0; look < 20; look++) {
            liveOn(jobs, random);
            nowNanos += random.nextLong(2 * JobSeries.RANKED_NANOS);
            TargetTally tally = jobs.tally();
            Map<String, ServiceTally> now = byJob(series.look(tally, nowNanos));
            ServiceTally sum = new ServiceTally();
            for (ServiceTally served : now.values()) {
              sum = sum.plus(served);
            }
            assertThat(sum).as("the sum is what was served").isEqualTo(tally.all());
            assertThat(now).containsKey(Busiest.OTHER).hasSizeLessThanOrEqualTo(namedMax + 1);
            for (Map.Entry<String, ServiceTally> one : now.entrySet()) {
              ServiceTally earlier = before.get(one.getKey());
              if (earlier == null) {
                earlier = new ServiceTally();
                boolean begins = !one.getKey().equals(Busiest.OTHER);
                assertThat(!begins || one.getValue().equals(earlier))
                    .as("a series begins at nothing")
                    .isTrue();
              }
              assertThat(one.getValue().isAtLeast(earlier))
                  .as("%s goes on from %s to %s", one.getKey(), earlier, one.getValue())
                  .isTrue();
            }
            before = now;
          }
        });
  }

  @Test
  void whoIsMuchBusierIsNamedInAnothersPlace() {
    JobSeries series = new JobSeries(2);
    TalliedJobs jobs = new TalliedJobs();
    jobs.serve(JobId.of("a"), Operation.READ, 1_000, 0);
    jobs.serve(JobId.of("b"), Operation.READ, 5_000_000, 0);
    assertThat(byJob(series.look(jobs.tally(), 0))).containsOnlyKeys("a", "b", "other");
    jobs.serve(JobId.of("c"), Operation.WRITE, 9_000_000, 0);
    jobs.serve(JobId.of("b"), Operation.READ, 5_000_000, 0);
    assertThat(byJob(series.look(jobs.tally(), SECOND)))
        .as("not at every look")
        .containsOnlyKeys("a", "b", "other");
    jobs.serve(JobId.of("c"), Operation.WRITE, 9_000_000, 0);
    assertThat(byJob(series.look(jobs.tally(), JobSeries.RANKED_NANOS)))
        .containsOnlyKeys("b", "c", "other");
    jobs.serve(JobId.of("c"), Operation.WRITE, 7, 0);
    Map<String, ServiceTally> last = byJob(series.look(jobs.tally(), 2 * SECOND));
    ServiceTally named = last.getOrDefault("c", new ServiceTally());
    ServiceTally others = last.getOrDefault(Busiest.OTHER, new ServiceTally());
    assertThat(named.bytes(ServiceTally.Kind.WRITE)).isEqualTo(7);
    assertThat(others.bytes(ServiceTally.Kind.WRITE)).isEqualTo(18_000_000);
  }

  @Test
  void aPageHasCountersByJobClassAndTargetAndIsBounded() {
    TalliedJobs jobs = new TalliedJobs();
    CounterMetrics metrics = new CounterMetrics(() -> List.of(jobs.tally()));
    MetricsText first = new MetricsText();
    jobs.serve(JobId.of("4711"), Operation.GETATTR, 0, 0);
    metrics.addTo(first, 0);
    jobs.serve(JobId.of("4711"), Operation.WRITE, 4_096, 50_000_000);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      jobs.serve(JobId.of("many" + i), Operation.READ, random.nextInt(100), 0);
    }
    MetricsText page = new MetricsText();
    metrics.addTo(page, SECOND);
    assertThat(page.toString().lines())
        .contains(
            "# TYPE sluice_job_bytes_total counter",
            "sluice_job_bytes_total{target=\"disk\",job=\"4711\",class=\"write\"} 4096",
            "sluice_job_operations_total{target=\"disk\",job=\"4711\",class=\"metadata\"} 0",
            "sluice_target_operations_total{target=\"disk\",class=\"metadata\"} 1",
            "sluice_target_operations_total{target=\"disk\",class=\"read\"} 10000",
            "# TYPE sluice_job_wait_seconds histogram",
            "sluice_job_wait_seconds_bucket"
                + "{target=\"disk\",job=\"4711\",class=\"write\",le=\"0.01\"} 0",
            "sluice_job_wait_seconds_bucket"
                + "{target=\"disk\",job=\"4711\",class=\"write\",le=\"0.1\"} 1",
            "sluice_job_wait_seconds_sum{target=\"disk\",job=\"4711\",class=\"write\"} 0.05",
            "sluice_job_wait_seconds_count{target=\"disk\",job=\"4711\",class=\"write\"} 1");
    assertThat(page.toString().length()).isLessThan(200_000);
  }
}
