package dev.sluice.app.history;

import dev.sluice.app.OutputDirectory;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.Sample;
import dev.sluice.history.report.JobUse;
import dev.sluice.history.report.Selection;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.studies.report.HistoryReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** History as comma-separated values (RFC 4180, but with line feeds), for notebooks. */
final class HistoryCsv {
  /** The files, and what is in each. */
  static final List<String> FILES =
      List.of("samples.csv", "targets.csv", "jobs.csv", "users.csv", "events.csv");

  private HistoryCsv() {}

  static void write(HistoryReport report, HistoryFiles files, OutputDirectory directory) {
    directory.write("samples.csv", out -> samples(report, files, out));
    directory.write("targets.csv", out -> targets(report, files, out));
    directory.write("jobs.csv", out -> uses("job", report.digest().jobs(), out));
    directory.write("users.csv", out -> uses("user", report.digest().users(), out));
    directory.write("events.csv", out -> events(report, out));
  }

  private static void samples(HistoryReport report, HistoryFiles files, Appendable out)
      throws IOException {
    line(
        out,
        "time",
        "span_s",
        "policy",
        "target",
        "job",
        "user",
        "weight",
        "operations",
        "read_bytes",
        "written_bytes",
        "waited_s",
        "queued",
        "allowed_tokens_per_second",
        "held_back_s");
    each(
        report,
        files,
        sample -> {
          for (Sample.OfTarget target : sample.targets()) {
            for (Sample.OfJob job : target.jobs()) {
              if (report.selection().includes(job)) {
                line(
                    out,
                    time(sample.endMillis()),
                    sample.spanMillis() / 1e3,
                    sample.policy(),
                    target.name(),
                    job.id(),
                    job.user(),
                    job.weight(),
                    job.operations(),
                    job.readBytes(),
                    job.writtenBytes(),
                    job.waitedMicros() / 1e6,
                    job.queued(),
                    job.allowedTokensPerSecond() == Sample.OfJob.UNLIMITED
                        ? ""
                        : job.allowedTokensPerSecond(),
                    job.heldBackMillis() / 1e3);
              }
            }
          }
        });
  }

  private static void targets(HistoryReport report, HistoryFiles files, Appendable out)
      throws IOException {
    line(
        out,
        "time",
        "span_s",
        "policy",
        "observe_only",
        "target",
        "capacity_tokens_per_second",
        "served_tokens",
        "queued",
        "saturated_s");
    each(
        report,
        files,
        sample -> {
          for (Sample.OfTarget target : sample.targets()) {
            line(
                out,
                time(sample.endMillis()),
                sample.spanMillis() / 1e3,
                sample.policy(),
                sample.observesOnly(),
                target.name(),
                target.capacityTokensPerSecond() == 0 ? "" : target.capacityTokensPerSecond(),
                target.servedTokens(),
                target.queued(),
                target.saturatedMillis() / 1e3);
          }
        });
  }

  /** Takes a sample and may fail to write it. */
  private interface SampleWriter {
    void write(Sample sample) throws IOException;
  }

  private static void each(HistoryReport report, HistoryFiles files, SampleWriter writer)
      throws IOException {
    Selection selection = report.selection();
    try {
      files.samples(
          report.resolution(),
          selection.fromMillis(),
          selection.toMillis(),
          sample -> {
            try {
              writer.write(sample);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void uses(String what, List<JobUse> uses, Appendable out) throws IOException {
    line(
        out,
        what,
        "user",
        "jobs",
        "operations",
        "read_bytes",
        "written_bytes",
        "waited_s",
        "active_s",
        "held_back_s",
        "limited_s");
    for (JobUse use : uses) {
      line(
          out,
          use.name(),
          use.user(),
          use.jobs(),
          use.operations(),
          use.readBytes(),
          use.writtenBytes(),
          use.waitedMicros() / 1e6,
          use.busyMillis() / 1e3,
          use.heldBackMillis() / 1e3,
          use.limitedMillis() / 1e3);
    }
  }

  private static void events(HistoryReport report, Appendable out) throws IOException {
    line(out, "time", "kind", "who", "about", "what");
    for (Event event : report.events()) {
      line(
          out,
          time(event.atMillis()),
          event.kind().text(),
          event.who(),
          event.subject(),
          event.words());
    }
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private static void line(Appendable out, Object... cells) throws IOException {
    out.append(
            Arrays.stream(cells)
                .map(cell -> quoted(String.valueOf(cell)))
                .collect(Collectors.joining(",")))
        .append('\n');
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
