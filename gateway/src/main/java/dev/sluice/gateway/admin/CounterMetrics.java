package dev.sluice.gateway.admin;

import dev.sluice.command.metrics.Busiest;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.gateway.target.ServiceTally;
import dev.sluice.gateway.target.TargetTally;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;

/**
 * What a gateway's targets have served, as counters: whoever collects them loses nothing between
 * two looks. Safe for use by many threads.
 */
public final class CounterMetrics {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<List<TargetTally>> tallies;
  private final Map<String, JobSeries> series = new HashMap<>();

  /** A series: what its labels are, and what was served. */
  private record Row(List<String> labels, ServiceTally served) {}

  /**
   * @param tallies what each target has served so far
   */
  public CounterMetrics(Supplier<List<TargetTally>> tallies) {
    this.tallies = tallies;
  }

  /** Adds them to a page. */
  public synchronized void addTo(MetricsText text, long nowNanos) {
    List<Row> targets = new ArrayList<>();
    List<Row> jobs = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (TargetTally tally : tallies.get()) {
      names.add(tally.target());
      targets.add(new Row(List.of("target", tally.target()), tally.all()));
      JobSeries its = series.computeIfAbsent(tally.target(), _ -> new JobSeries(Busiest.NAMED_MAX));
      for (JobSeries.Series one : its.look(tally, nowNanos)) {
        jobs.add(new Row(List.of("target", tally.target(), "job", one.job()), one.served()));
      }
    }
    series.keySet().retainAll(names);
    write("target", "of all jobs", targets, text);
    write("job", "of a job, or of all others", jobs, text);
  }

  private static void write(String prefix, String whose, List<Row> rows, MetricsText text) {
    text.family(
        prefix + "_operations_total", MetricKind.COUNTER, "Operations " + whose + ", served.");
    samples(rows, (served, kind) -> (double) served.operations(kind), text);
    text.family(prefix + "_bytes_total", MetricKind.COUNTER, "Bytes " + whose + ", moved.");
    samples(rows, (served, kind) -> (double) served.bytes(kind), text);
    text.family(
        prefix + "_wait_seconds",
        MetricKind.HISTOGRAM,
        "How long operations " + whose + " waited for their turn.");
    for (Row row : rows) {
      for (ServiceTally.Kind kind : ServiceTally.Kind.values()) {
        histogram(row, kind, text);
      }
    }
  }

  private static void samples(
      List<Row> rows, ToDoubleBiFunction<ServiceTally, ServiceTally.Kind> value, MetricsText text) {
    for (Row row : rows) {
      for (ServiceTally.Kind kind : ServiceTally.Kind.values()) {
        text.sample(value.applyAsDouble(row.served, kind), labels(row, "class", kind.text()));
      }
    }
  }

  private static void histogram(Row row, ServiceTally.Kind kind, MetricsText text) {
    long upTo = 0;
    for (int i = 0; i < ServiceTally.WAIT_BOUNDS_NANOS.size(); i++) {
      upTo += row.served.waits(kind, i);
      String bound = Double.toString(ServiceTally.WAIT_BOUNDS_NANOS.get(i) / NANOS_PER_SECOND);
      text.sampleOf("_bucket", (double) upTo, labels(row, "class", kind.text(), "le", bound));
    }
    upTo += row.served.waits(kind, ServiceTally.WAIT_BOUNDS_NANOS.size());
    text.sampleOf("_bucket", (double) upTo, labels(row, "class", kind.text(), "le", "+Inf"));
    text.sampleOf(
        "_sum", row.served.waitedNanos(kind) / NANOS_PER_SECOND, labels(row, "class", kind.text()));
    text.sampleOf("_count", (double) upTo, labels(row, "class", kind.text()));
  }

  private static String[] labels(Row row, String... more) {
    List<String> all = new ArrayList<>(row.labels);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
