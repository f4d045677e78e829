package dev.sluice.lustre.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobStatsDeltasTest {
  /** A counter on a server, and how much of it no reading has shown. */
  private static final class Counter {
    long start = 1;
    long count;
    long unread;
  }

  private static JobSample sample(String target, String job, long start, long rpcs) {
    return new JobSample(target, job, start, rpcs, rpcs / 2, rpcs / 3, 10 * rpcs, 100 * rpcs);
  }

  private static void read(JobStatsDeltas deltas, JobSample... samples) {
    deltas.beginReading();
    for (JobSample sample : samples) {
      deltas.job(sample);
    }
    deltas.endReading();
    deltas.checkInvariants();
  }

  private static long taken(JobStatsDeltas deltas) {
    return deltas.take().stream().mapToLong(JobActivity::rpcs).sum();
  }

  @Test
  void theFirstReadingOnlyTellsWhereCountingBegins() {
    JobStatsDeltas deltas = new JobStatsDeltas();
    read(deltas, sample("ost0", "a", 5, 1_000));
    assertThat(deltas.take()).isEmpty();

    read(
        deltas,
        sample("ost0", "a", 5, 1_004),
        sample("ost0", "b", 6, 7),
        sample("ost1", "a", 7, 2));

    List<JobActivity> active = deltas.take();
    assertThat(active).hasSize(2);
    assertThat(active)
        .anySatisfy(activity -> {
          assertThat(activity.job().bytes()).isEqualTo("a");
          assertThat(activity.rpcs()).isEqualTo(6);
          assertThat(activity.readBytes()).isEqualTo(60);
          assertThat(activity.writtenBytes()).isEqualTo(600);
        });
    assertThat(deltas.take()).isEmpty();
  }

  @Test
  void countersThatBeganAnewCountFromZero() {
    JobStatsDeltas deltas = new JobStatsDeltas();
    read(deltas, sample("ost0", "a", 5, 1_000));
    read(deltas, sample("ost0", "a", 9, 1_500));
    assertThat(taken(deltas)).isEqualTo(1_500);
    read(deltas, sample("ost0", "a", 9, 20));
    assertThat(taken(deltas)).isEqualTo(20);
  }

  @Test
  void anEntryThatAReadingMissedIsNoNews() {
    JobStatsDeltas deltas = new JobStatsDeltas();
    read(deltas, sample("ost0", "a", 5, 1_000), sample("ost0", "b", 5, 1));
    read(deltas, sample("ost0", "b", 5, 2));
    read(deltas, sample("ost0", "a", 5, 1_007), sample("ost0", "a", 5, 1_009));
    assertThat(taken(deltas)).isEqualTo(10);
  }

  @Test
  void whatIsGoneForLongIsForgotten() {
    JobStatsDeltas deltas = new JobStatsDeltas();
    read(deltas, sample("ost0", "a", 5, 1_000));
    for (int i = 0; i < 20; i++) {
      read(deltas);
    }
    assertThat(deltas.targets()).isZero();
    read(deltas, sample("ost0", "a", 8, 3));
    assertThat(taken(deltas)).isEqualTo(3);
  }

  @Test
  void whatIsHandedOutAddsUpToWhatTheCountersGrewBy() {
    SeededCases.forAll(
        200,
        random -> {
          JobStatsDeltas deltas = new JobStatsDeltas();
          Map<String, Counter> counters = new HashMap<>();
          long grown = 0;
          long taken = 0;
          read(deltas);
          for (int step = 0; step < 60; step++) {
            for (int i = 0; i < 8; i++) {
              String key = random.nextInt(3) + " " + random.nextInt(6);
              Counter counter = counters.computeIfAbsent(key, _ -> new Counter());
              if (counter.unread == 0 && random.nextInt(10) == 0) {
                // Cleaned up and begun again, with a later time.
                counter.start++;
                counter.count = 0;
              }
              long more = random.nextInt(100);
              counter.count += more;
              counter.unread += more;
              grown += more;
            }
            boolean last = step == 59;
            deltas.beginReading();
            for (Map.Entry<String, Counter> entry : counters.entrySet()) {
              Counter counter = entry.getValue();
              if (last || random.nextInt(4) > 0) {
                // The first letter is the target, the last the job.
                String target = entry.getKey().substring(0, 1);
                String job = entry.getKey().substring(2);
                deltas.job(sample(target, job, counter.start, counter.count));
                counter.unread = 0;
              }
            }
            deltas.endReading();
            deltas.checkInvariants();
            if (random.nextBoolean() || last) {
              taken += taken(deltas);
            }
          }
          assertThat(taken).isEqualTo(grown);
        });
  }
}
