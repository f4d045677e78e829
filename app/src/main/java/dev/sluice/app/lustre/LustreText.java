package dev.sluice.app.lustre;

import dev.sluice.app.Table;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.LustreTop;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.TopJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What goes on on a Lustre server, for people. */
final class LustreText {
  private static final double UNCOUNTED_PART = 0.02;

  private LustreText() {}

  /** Jobs by rate, and whom a rule holds back. */
  static List<String> top(LustreTop.Look look, int jobsMax) {
    List<String> lines = new ArrayList<>();
    lines.add(summary(look));
    if (look.problem() != null) {
      lines.add("note: " + look.problem());
    }
    if (look.jobs().isEmpty()) {
      return lines;
    }
    Table table = new Table(List.of("job", "requests", "read", "written", "rule", "allowed", ""));
    for (TopJob job : look.jobs().subList(0, Math.min(jobsMax, look.jobs().size()))) {
      table.row(
          List.of(
              job.job().toString(),
              operations(job.rpcsPerSecond()),
              Quantities.formatRate(job.readBytesPerSecond(), Counted.BYTES),
              Quantities.formatRate(job.writtenBytesPerSecond(), Counted.BYTES),
              job.rule(),
              look.filtered() ? operations(job.allowedPerSecond()) : "",
              job.heldBack() ? "held back" : ""));
    }
    table.lines().forEach(line -> lines.add("  " + line));
    more(lines, look.jobs().size() - jobsMax);
    return lines;
  }

  /** The same in a line. */
  static String summary(LustreTop.Look look) {
    long heldBack = look.jobs().stream().filter(TopJob::heldBack).count();
    return operations(look.rpcsPerSecond())
        + " of "
        + count(look.jobs().size(), "job")
        + uncounted(look.uncountedPerSecond(), look.rpcsPerSecond())
        + (look.filtered()
            ? ", " + heldBack + " held back"
            : "; requests are not filtered by job, nobody is held back");
  }

  /** Requests that were counted for no job, where they are more than a few. */
  private static String uncounted(double perSecond, double allPerSecond) {
    return perSecond < UNCOUNTED_PART * allPerSecond
        ? ""
        : ", " + operations(perSecond) + " of them counted for no job";
  }

  /** What a period brought, in a line. */
  static String period(PeriodReport report, LustreConfiguration configuration) {
    Decision decision = report.decision();
    if (decision == null) {
      return report.periodNanos() == 0 ? "looked for the first time" : "nothing was decided";
    }
    long heldBack = decision.jobs().stream().filter(JobReport::heldBack).count();
    double seconds = report.periodNanos() / 1e9;
    return operations(decision.servedRpcs() / seconds)
        + " of "
        + configuration.capacityWords(decision.belief())
        + uncounted(decision.unknownRpcs() / seconds, decision.servedRpcs() / seconds)
        + ", "
        + count(decision.jobs().size(), "job")
        + ", "
        + heldBack
        + " held back; "
        + count(decision.wanted().size(), "rule")
        + ", "
        + count(report.commands().size(), "command");
  }

  /** What a period brought, job by job, the busiest first. */
  static List<String> jobs(PeriodReport report, int jobsMax) {
    List<String> lines = new ArrayList<>();
    Decision decision = report.decision();
    if (decision == null || decision.jobs().isEmpty()) {
      return lines;
    }
    double seconds = report.periodNanos() / 1e9;
    Table table =
        new Table(List.of("job", "nodes", "served", "wants", "granted", "rule", "rate", ""));
    List<JobReport> jobs = new ArrayList<>(decision.jobs());
    jobs.sort(Comparator.comparingLong(JobReport::servedRpcs).reversed());
    for (JobReport job : jobs.subList(0, Math.min(jobsMax, jobs.size()))) {
      table.row(
          List.of(
              job.job().toString(),
              String.valueOf(job.nodes()),
              operations(job.servedRpcs() / seconds),
              operations(job.wantedRpcs() / seconds),
              job.isUnlimited() ? "all" : operations(job.grantedRpcs() / seconds),
              job.rule() == null ? "" : job.rule(),
              job.rule() == null ? "" : rate(job),
              state(job)));
    }
    table.lines().forEach(line -> lines.add("  " + line));
    more(lines, jobs.size() - jobsMax);
    return lines;
  }

  private static String rate(JobReport job) {
    return job.partitions() == 1
        ? job.ratePerPartition() + "/s"
        : job.partitions() + " x " + job.ratePerPartition() + "/s";
  }

  private static String state(JobReport job) {
    @Nullable String leftAlone = job.leftAlone();
    if (leftAlone != null) {
      return "left alone: " + leftAlone;
    }
    return job.heldBack() ? "held back" : "";
  }

  private static void more(List<String> lines, int hidden) {
    if (hidden > 0) {
      lines.add("  and " + hidden + " more; --jobs NUMBER shows them");
    }
  }

  private static String operations(double perSecond) {
    return Quantities.formatRate(perSecond, Counted.OPERATIONS);
  }

  private static String count(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
