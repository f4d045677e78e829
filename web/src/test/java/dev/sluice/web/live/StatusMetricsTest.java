package dev.sluice.web.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler.Reply;
import dev.sluice.document.Documents;
import dev.sluice.web.server.RefusedException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;

class StatusMetricsTest {
  /**
   * A status of so many jobs, of which as many are listed as are asked for; job i does i a second.
   */
  private static String status(int jobs, int listed) {
    return JsonLine.object(json -> {
      json.writeStringProperty("policy", "psfa");
      json.writeBooleanProperty("observe_only", false);
      json.writeNumberProperty("up_s", 7);
      json.writeArrayPropertyStart("problems");
      json.writeEndArray();
      json.writeArrayPropertyStart("targets");
      json.writeStartObject();
      json.writeStringProperty("name", "metadata");
      json.writeNumberProperty("queued", 3);
      json.writeNumberProperty("in_service", 1);
      json.writeNumberProperty("bytes_per_second", 0);
      json.writeNumberProperty(
          "operations_per_second", IntStream.rangeClosed(1, jobs).asLongStream().sum());
      json.writeNumberProperty("busy_jobs", jobs);
      json.writeArrayPropertyStart("jobs");
      for (int i = jobs; i > Math.max(0, jobs - listed); i--) {
        job(i, json);
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndArray();
    });
  }

  private static void job(int number, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("job", "job \"" + number + "\"");
    json.writeNumberProperty("read_bytes_per_second", 0);
    json.writeNumberProperty("written_bytes_per_second", 0);
    json.writeNumberProperty("operations_per_second", number);
    json.writeNumberProperty("waited_ms", 20);
    json.writeEndObject();
  }

  private static StatusMetrics metrics(int jobs) {
    return new StatusMetrics(
        request ->
            Reply.of(
                status(
                    jobs,
                    (int)
                        Documents.parse("request", request)
                            .openMap()
                            .required("jobs")
                            .whole(0, 1_000))),
        _ -> {});
  }

  @Test
  void namesTheBusiestAndAddsTheOthersUp() {
    String page = metrics(60).page();
    assertThat(page.lines())
        .contains(
            "sluice_up_seconds 7",
            "sluice_policy_info{policy=\"psfa\"} 1",
            "sluice_target_busy_jobs{target=\"metadata\"} 60",
            "sluice_target_operations_per_second{target=\"metadata\"} 1830",
            "sluice_job_operations_per_second{target=\"metadata\",job=\"job \\\"60\\\"\"} 60",
            "sluice_job_waited_seconds{target=\"metadata\",job=\"job \\\"60\\\"\"} 0.02",
            // The sum of 1 to 10.
            "sluice_job_operations_per_second{target=\"metadata\",job=\"other\"} 55");
  }

  @Test
  void saysWhyThereIsNothingToMeasure() {
    StatusMetrics busy =
        new StatusMetrics(_ -> Reply.of(JsonLine.error("it is too busy to answer")), _ -> {});
    assertThatThrownBy(busy::page)
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.status()).isEqualTo(503))
        .hasMessageContaining("it is too busy to answer");
    StatusMetrics broken = new StatusMetrics(_ -> Reply.of("nonsense"), _ -> {});
    assertThatThrownBy(broken::page).isInstanceOf(RefusedException.class);
  }

  @Test
  void tenThousandJobsGiveABoundedPageAtOnce() {
    StatusMetrics many = metrics(10_000);
    String page = many.page();
    assertThat(page.length()).isLessThan(30_000);
    assertThat(page.lines().filter(line -> line.startsWith("sluice_job_operations_per_second{")))
        .hasSize(51);
    long[] tookNanos = new long[21];
    for (int i = 0; i < tookNanos.length; i++) {
      // Of this thread's own: the machine may be busy with other things.
      long beganNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      assertThat(many.page()).isEqualTo(page);
      tookNanos[i] = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beganNanos;
    }
    Arrays.sort(tookNanos);
    long medianMicros = tookNanos[tookNanos.length / 2] / 1_000;
    System.out.println("a page of metrics of 10,000 jobs took " + medianMicros + " us (median)");
    assertThat(medianMicros).isLessThan(50_000);
  }
}
