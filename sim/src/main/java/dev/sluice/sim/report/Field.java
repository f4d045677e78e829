package dev.sluice.sim.report;

import dev.sluice.sim.result.Summary;
import java.util.List;
import java.util.function.Function;

/**
 * A named value of a row: a column of a CSV file and a property in JSON, defined once for both.
 *
 * @param value the text; empty where there is none
 */
record Field<T>(String name, Kind kind, Function<T, String> value) {
  enum Kind {
    TEXT,
    NUMBER
  }

  static final List<Field<Summary.Job>> OF_JOB =
      List.of(
          text("job", job -> job.id().toString()),
          number("nodes", job -> Long.toString(job.nodes())),
          number("submitted_s", job -> Numbers.seconds(job.submitNanos())),
          number("started_s", job -> Numbers.seconds(job.startNanos())),
          number("ended_s", job -> Numbers.seconds(job.endNanos())),
          number("wait_s", job -> Numbers.seconds(job.waitNanos())),
          number("completion_s", job -> Numbers.seconds(job.completionNanos())),
          number("io_s", job -> Numbers.seconds(job.ioNanos())),
          number("bytes", job -> Long.toString(job.bytes())),
          number("operations", job -> Long.toString(job.operations())),
          number("bytes_per_s", job -> Numbers.plain(job.bytesPerSecond())),
          number("operations_per_s", job -> Numbers.plain(job.operationsPerSecond())),
          number("effective_bytes_per_s", job -> Numbers.plain(job.effectiveBytesPerSecond())),
          number("stretch", job -> Numbers.plain(job.stretch())),
          number("io_slowdown", job -> Numbers.plain(job.ioSlowdown())),
          number("latency_count", job -> Long.toString(job.latency().count())),
          number(
              "latency_mean_s",
              job -> Numbers.latencySeconds(job.latency(), job.latency().meanNanos())),
          number(
              "latency_p50_s",
              job -> Numbers.latencySeconds(job.latency(), job.latency().p50Nanos())),
          number(
              "latency_p95_s",
              job -> Numbers.latencySeconds(job.latency(), job.latency().p95Nanos())),
          number(
              "latency_p99_s",
              job -> Numbers.latencySeconds(job.latency(), job.latency().p99Nanos())),
          number(
              "latency_max_s",
              job -> Numbers.latencySeconds(job.latency(), job.latency().maxNanos())),
          number("still_waiting", job -> Long.toString(job.latency().waiting())),
          number("oldest_wait_s", job -> Numbers.oldestWaitSeconds(job.latency())));

  static final List<Field<Summary.TargetUse>> OF_TARGET =
      List.of(
          text("target", Summary.TargetUse::name),
          number("bytes", target -> Long.toString(target.bytes())),
          number("operations", target -> Long.toString(target.operations())),
          number("bytes_per_s", target -> Numbers.plain(target.bytesPerSecond())),
          number("utilisation", target -> Numbers.plain(target.utilisation())));

  static final List<Field<Summary.Total>> OF_TOTAL =
      List.of(
          number("bytes", total -> Long.toString(total.bytes())),
          number("operations", total -> Long.toString(total.operations())),
          number("bytes_per_s", total -> Numbers.plain(total.bytesPerSecond())),
          number("operations_per_s", total -> Numbers.plain(total.operationsPerSecond())),
          number("jobs", total -> Integer.toString(total.jobs())),
          number("jobs_done", total -> Integer.toString(total.jobsDone())),
          number("makespan_s", total -> Numbers.seconds(total.makespanNanos())),
          number("io_s", total -> Numbers.seconds(total.ioNanos())),
          number("fairness", total -> Numbers.plain(total.fairness())),
          number("mean_stretch", total -> Numbers.plain(total.meanStretch())),
          number("max_stretch", total -> Numbers.plain(total.maxStretch())),
          number("mean_io_slowdown", total -> Numbers.plain(total.meanIoSlowdown())),
          number("target_utilisation", total -> Numbers.plain(total.targetUtilisation())),
          number("compute_utilisation", total -> Numbers.plain(total.computeUtilisation())),
          number("worst_p99_s", total -> Numbers.seconds(total.worstP99Nanos())),
          number("still_waiting", total -> Long.toString(total.stillWaiting())),
          number("oldest_wait_s", total -> Numbers.seconds(total.oldestWaitNanos())),
          number("events", total -> Long.toString(total.events())),
          number("decisions", total -> Long.toString(total.decisions())),
          number("changes", total -> Long.toString(total.changes())));

  private static <T> Field<T> text(String name, Function<T, String> value) {
    return new Field<>(name, Kind.TEXT, value);
  }

  private static <T> Field<T> number(String name, Function<T, String> value) {
    return new Field<>(name, Kind.NUMBER, value);
  }
}
