package dev.sluice.command.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricsTextTest {
  @Test
  void writesWhatPrometheusReads() {
    MetricsText text = new MetricsText();
    text.family("calls_total", MetricKind.COUNTER, "Calls\nthat \\ were made.");
    text.sample(3, "job", "a\\b\"c\nd", "operation", "open");
    text.sample(0.25);
    text.family("limit", MetricKind.GAUGE, "A limit.").sample(Double.POSITIVE_INFINITY, "job", "é");
    assertThat(text)
        .hasToString(
            """
            # HELP sluice_calls_total Calls\\nthat \\\\ were made.
            # TYPE sluice_calls_total counter
            sluice_calls_total{job="a\\\\b\\"c\\nd",operation="open"} 3
            sluice_calls_total 0.25
            # HELP sluice_limit A limit.
            # TYPE sluice_limit gauge
            sluice_limit{job="é"} +Inf
            """);
    assertThatThrownBy(() -> text.family("limit", MetricKind.GAUGE, "Again."))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private record Job(String name, double busy) {}

  @Test
  void theBusiestAreNamedAndNobodyIsLost() {
    SeededCases.forAll(
        500,
        random -> {
          List<Job> jobs = new ArrayList<>();
          int count = random.nextInt(30);
          for (int i = 0; i < count; i++) {
            String name = random.nextInt(10) == 0 ? Busiest.OTHER : "job" + i;
            jobs.add(new Job(name, random.nextInt(5)));
          }
          int max = random.nextInt(12);
          Busiest<Job> divided = Busiest.of(jobs, Job::busy, Job::name, max);
          List<Job> all = new ArrayList<>(divided.named());
          all.addAll(divided.others());
          assertThat(all).containsExactlyInAnyOrderElementsOf(jobs);
          assertThat(divided.named()).hasSizeLessThanOrEqualTo(max);
          assertThat(divided.named()).extracting(Job::name).doesNotContain(Busiest.OTHER);
          for (Job named : divided.named()) {
            for (Job other : divided.others()) {
              assertThat(other.name().equals(Busiest.OTHER) || other.busy() <= named.busy())
                  .isTrue();
            }
          }
        });
  }
}
