package dev.sluice.stage.agent;

import dev.sluice.command.metrics.Busiest;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.command.metrics.MetricsText.MetricKind;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.files.OperationUsage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * What an agent's jobs do, in the text form that Prometheus collects. Jobs beyond the busiest are
 * added up as {@code other}, so that a node with thousands of jobs gives a page of bounded size.
 */
final class UsageText {
  private static final double NANOS_PER_SECOND = 1e9;

  private record Family(
      String name, String help, ToLongFunction<OperationUsage> value, double divisor) {}

  private static final List<Family> FAMILIES =
      List.of(
          new Family("stage_calls_total", "Calls that were made.", OperationUsage::calls, 1),
          new Family("stage_bytes_total", "Bytes that were moved.", OperationUsage::bytes, 1),
          new Family("stage_waits_total", "Calls that had to wait.", OperationUsage::waits, 1),
          new Family(
              "stage_waited_seconds_total",
              "Time that calls have waited.",
              OperationUsage::waitedNanos,
              NANOS_PER_SECOND));

  private UsageText() {}

  /** What one job has done. */
  private record Used(
      String job,
      Map<Operation, OperationUsage> usage,
      Map<LimitKey, Double> limits,
      StagedJob.Processes processes) {
    double calls() {
      return usage.values().stream().mapToDouble(OperationUsage::calls).sum();
    }
  }

  static String of(List<StagedJob> jobs) {
    List<Used> used = new ArrayList<>();
    int unreadable = 0;
    for (StagedJob job : jobs) {
      try {
        used.add(new Used(job.id().toString(), job.usage(), job.limits(), job.seenProcesses()));
      } catch (IOException e) {
        // One job's broken files must not hide the others.
        unreadable++;
      }
    }
    Busiest<Used> divided = Busiest.of(used, Used::calls, Used::job, Busiest.NAMED_MAX);
    MetricsText text = new MetricsText();
    text.family("stage_jobs", MetricKind.GAUGE, "Jobs that are looked after.").sample(jobs.size());
    text.family("stage_unreadable_jobs", MetricKind.GAUGE, "Jobs whose counters cannot be read.")
        .sample(unreadable);
    for (Family family : FAMILIES) {
      text.family(family.name, MetricKind.COUNTER, family.help);
      for (Used job : divided.named()) {
        samples(text, family, job.job(), sums(List.of(job), family));
      }
      samples(text, family, Busiest.OTHER, sums(divided.others(), family));
    }
    processes(text, divided);
    text.family(
        "stage_limit_per_second",
        MetricKind.GAUGE,
        "Operations or bytes a second that are allowed.");
    for (Used job : divided.named()) {
      job.limits()
          .forEach((key, perSecond) ->
              text.sample(
                  perSecond,
                  "job",
                  job.job(),
                  "scope",
                  key.scope(),
                  "counted",
                  key.counted() == Counted.BYTES ? "bytes" : "operations"));
    }
    return text.toString();
  }

  private static void processes(MetricsText text, Busiest<Used> divided) {
    text.family(
        "stage_processes",
        MetricKind.GAUGE,
        "Processes of jobs, by whether limits hold them: static programs cannot be held.");
    for (Used job : divided.named()) {
      processes(text, job.job(), List.of(job));
    }
    processes(text, Busiest.OTHER, divided.others());
  }

  private static void processes(MetricsText text, String name, List<Used> jobs) {
    int held = jobs.stream().mapToInt(job -> job.processes().held()).sum();
    int notHeld = jobs.stream().mapToInt(job -> job.processes().notHeld()).sum();
    if (!jobs.isEmpty()) {
      text.sample(held, "job", name, "held", "yes");
      text.sample(notHeld, "job", name, "held", "no");
    }
  }

  /** In floating point, which many jobs that claim much cannot make negative. */
  private static Map<Operation, Double> sums(List<Used> jobs, Family family) {
    Map<Operation, Double> sums = new EnumMap<>(Operation.class);
    for (Used job : jobs) {
      job.usage()
          .forEach((operation, usage) ->
              sums.merge(operation, (double) family.value.applyAsLong(usage), Double::sum));
    }
    return sums;
  }

  private static void samples(
      MetricsText text, Family family, String job, Map<Operation, Double> sums) {
    sums.forEach((operation, sum) -> {
      if (sum != 0) {
        text.sample(sum / family.divisor, "job", job, "operation", operation.text());
      }
    });
  }
}
