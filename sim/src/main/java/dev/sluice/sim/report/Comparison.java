package dev.sluice.sim.report;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Summary;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** The tables that compare policies. */
public final class Comparison {
  static final int TARGETS_MAX = 20;

  private final Report report;
  private final List<Map<JobId, Summary.Job>> jobsByRun = new ArrayList<>();

  public Comparison(Report report) {
    this.report = report;
    for (Report.Run run : report.runs()) {
      Map<JobId, Summary.Job> jobs = HashMap.newHashMap(run.summary().jobs().size());
      run.summary().jobs().forEach(job -> jobs.put(job.id(), job));
      jobsByRun.add(jobs);
    }
  }

  /** A line for each policy. */
  public ReportTable policies() {
    List<List<String>> rows = new ArrayList<>();
    for (Report.Run run : report.runs()) {
      Summary.Total total = run.summary().total();
      rows.add(
          List.of(
              run.policy(),
              rate(total.bytesPerSecond(), total.operationsPerSecond()),
              total.jobsDone() + "/" + total.jobs(),
              Numbers.duration(total.makespanNanos()),
              Numbers.duration(total.ioNanos()),
              Numbers.ratio(total.meanIoSlowdown()),
              Numbers.index(total.fairness()),
              Numbers.percent(total.targetUtilisation()),
              Numbers.duration(total.worstP99Nanos()),
              Numbers.stillWaiting(total.stillWaiting(), total.oldestWaitNanos().orElse(0)),
              Numbers.count(total.decisions()),
              Numbers.count(total.changes())));
    }
    return new ReportTable(
        "Policies compared",
        List.of(
            "policy",
            "throughput",
            "done",
            "makespan",
            "I/O time",
            "slowdown",
            "fairness",
            "utilised",
            "worst p99",
            "still waiting",
            "decisions",
            "changes"),
        rows);
  }

  /** A line for each job and policy. */
  public ReportTable jobs() {
    boolean several = report.runs().size() > 1;
    List<String> columns = new ArrayList<>(List.of("job", "nodes", "policy", "throughput"));
    if (several) {
      columns.add("vs " + report.first().policy());
    }
    columns.addAll(List.of("completion", "I/O time", "slowdown", "p50", "p99"));
    List<List<String>> rows = new ArrayList<>();
    for (JobId id : report.shown().jobs()) {
      for (int i = 0; i < report.runs().size(); i++) {
        Summary.Job job = jobsByRun.get(i).get(id);
        if (job == null) {
          continue;
        }
        List<String> row = new ArrayList<>();
        row.add(id.toString());
        row.add(Numbers.count(job.nodes()));
        row.add(report.runs().get(i).policy());
        row.add(rate(job.bytesPerSecond(), job.operationsPerSecond()));
        if (several) {
          row.add(i == 0 ? "" : Numbers.change(change(id, i)));
        }
        row.add(Numbers.duration(job.completionNanos()));
        row.add(Numbers.duration(job.ioNanos()));
        row.add(Numbers.ratio(job.ioSlowdown()));
        row.add(Numbers.latency(job.latency(), job.latency().p50Nanos()));
        row.add(Numbers.latency(job.latency(), job.latency().p99Nanos()));
        rows.add(row);
      }
    }
    return new ReportTable("Each job under each policy" + selection(), columns, rows);
  }

  /** How long requests took. */
  public ReportTable latencies() {
    List<List<String>> rows = new ArrayList<>();
    for (JobId id : report.shown().jobs()) {
      for (int i = 0; i < report.runs().size(); i++) {
        Summary.Job job = jobsByRun.get(i).get(id);
        if (job == null || job.latency().count() == 0) {
          continue;
        }
        LatencySummary latency = job.latency();
        rows.add(
            List.of(
                id.toString(),
                report.runs().get(i).policy(),
                Numbers.count(latency.count()),
                Numbers.duration(latency.meanNanos()),
                Numbers.duration(latency.p50Nanos()),
                Numbers.duration(latency.p95Nanos()),
                Numbers.duration(latency.p99Nanos()),
                Numbers.duration(latency.maxNanos()),
                Numbers.stillWaiting(latency.waiting(), latency.oldestWaitNanos())));
      }
    }
    return new ReportTable(
        "Latency of requests, from arrival to completion or, for those that still waited, to the"
            + " end"
            + selection(),
        List.of(
            "job", "policy", "requests", "mean", "p50", "p95", "p99", "longest", "still waiting"),
        rows);
  }

  /** What each target did. */
  public ReportTable targets() {
    List<List<String>> rows = new ArrayList<>();
    int all = report.first().summary().targets().size();
    for (int target = 0; target < Math.min(all, TARGETS_MAX); target++) {
      for (Report.Run run : report.runs()) {
        Summary.TargetUse use = run.summary().targets().get(target);
        rows.add(
            List.of(
                use.name(),
                run.policy(),
                Quantities.formatBytes((double) use.bytes()),
                Numbers.count(use.operations()),
                rate(use.bytesPerSecond(), OptionalDouble.empty()),
                Numbers.percent(use.utilisation())));
      }
    }
    return new ReportTable(
        "Each target under each policy"
            + (all > TARGETS_MAX ? ": the first " + TARGETS_MAX + " of " + all : ""),
        List.of("target", "policy", "bytes", "operations", "throughput", "utilised"),
        rows);
  }

  /** The measures of each job, for each run. */
  List<Map<JobId, Summary.Job>> jobsByRun() {
    return List.copyOf(jobsByRun);
  }

  /** The throughput of a job, in what this report counts; empty where it has none. */
  OptionalDouble throughput(JobId id, int run) {
    Summary.Job job = jobsByRun.get(run).get(id);
    if (job == null) {
      return OptionalDouble.empty();
    }
    return report.countsBytes() ? job.bytesPerSecond() : job.operationsPerSecond();
  }

  /** By which part a job's throughput is more or less than under the first policy. */
  OptionalDouble change(JobId id, int run) {
    return change(throughput(id, 0), throughput(id, run));
  }

  OptionalDouble totalThroughput(int run) {
    Summary.Total total = report.runs().get(run).summary().total();
    return report.countsBytes() ? total.bytesPerSecond() : total.operationsPerSecond();
  }

  OptionalDouble totalChange(int run) {
    return change(totalThroughput(0), totalThroughput(run));
  }

  private static OptionalDouble change(OptionalDouble before, OptionalDouble after) {
    return before.orElse(0) > 0 && after.isPresent()
        ? OptionalDouble.of(after.getAsDouble() / before.getAsDouble() - 1)
        : OptionalDouble.empty();
  }

  private String selection() {
    int others = report.shown().others();
    return others == 0
        ? ""
        : " (the "
            + report.shown().jobs().size()
            + " that moved most; "
            + Numbers.count(others)
            + " more are in jobs.csv)";
  }

  private String rate(OptionalDouble bytesPerSecond, OptionalDouble operationsPerSecond) {
    OptionalDouble rate = report.countsBytes() ? bytesPerSecond : operationsPerSecond;
    return rate.isPresent()
        ? Quantities.formatRate(
            rate.getAsDouble(), report.countsBytes() ? Counted.BYTES : Counted.OPERATIONS)
        : Numbers.NOTHING;
  }
}
