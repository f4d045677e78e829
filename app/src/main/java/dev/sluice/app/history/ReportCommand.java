package dev.sluice.app.history;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.OutputDirectory;
import dev.sluice.app.Table;
import dev.sluice.app.sim.SimText;
import dev.sluice.history.api.Durations;
import dev.sluice.history.report.Selection;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.Resolution;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.studies.report.HistoryHtml;
import dev.sluice.studies.report.HistoryReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells what happened. */
@Command(
    name = "report",
    description = {
      "Tell what happened on the storage: who used most, who was held back and why, when"
          + " targets were saturated, what was changed and by whom.",
      "",
      "A gateway keeps each job's figures at 1 s for an hour, at 10 s for a day and at",
      "1 min for 30 days; the finest that reaches back so far is used. The gateway need",
      "not run. Where it only observed, whom it would have slowed down is told, too.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "docs/history.md explains the words and the columns.",
      "",
      "Examples: ./sluice report --since 1h",
      "          ./sluice report --since 24h --user alice --out alice.html",
      "          ./sluice report --since 30d --csv /tmp/history"
    })
public final class ReportCommand implements Runnable {
  @Spec @Nullable CommandSpec spec;

  @Mixin HistoryOption history = new HistoryOption();

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      description = "How far back: 10min, 24h, 30d (default: ${DEFAULT-VALUE}).")
  String since = "24h";

  @Option(
      names = "--until",
      paramLabel = "DURATION",
      description = "How long ago it ends: 6h for \"not the last six hours\" (default: now).")
  @Nullable String until;

  @Option(names = "--job", paramLabel = "JOB", description = "Of this job alone.")
  @Nullable String job;

  @Option(names = "--user", paramLabel = "USER", description = "Of this user's jobs alone.")
  @Nullable String user;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write one HTML page with pictures, which needs nothing but itself.")
  @Nullable String out;

  @Option(
      names = "--csv",
      paramLabel = "DIR",
      description = "Write all samples and sums as CSV files there.")
  @Nullable String csv;

  @Override
  public void run() {
    PrintWriter text = Objects.requireNonNull(spec).commandLine().getOut();
    HistoryFiles files = history.files();
    long nowMillis = System.currentTimeMillis();
    long toMillis = nowMillis - (until == null ? 0 : millis("--until", until));
    long fromMillis = nowMillis - millis("--since", since);
    if (fromMillis >= toMillis) {
      throw new BadInputException("--since " + since + ": expected more than --until " + until);
    }
    Selection selection = new Selection(fromMillis, toMillis, job, user);
    try {
      HistoryReport report =
          HistoryReport.read(
              files,
              selection,
              Resolution.reaching(nowMillis - fromMillis),
              ZoneId.systemDefault());
      write(report, files, text);
      if (out == null && csv == null) {
        print(report, text);
      }
    } catch (IOException e) {
      throw new FailedException("history cannot be read: " + e.getMessage(), e);
    }
    text.flush();
  }

  private void write(HistoryReport report, HistoryFiles files, PrintWriter text) {
    if (out != null) {
      Path file = Path.of(out).toAbsolutePath();
      Path parent = Objects.requireNonNull(file.getParent());
      OutputDirectory directory = OutputDirectory.at(parent.toString());
      directory.write(
          String.valueOf(file.getFileName()), page -> page.append(HistoryHtml.page(report)));
      directory.publish();
      text.println(out + " is written");
    }
    if (csv != null) {
      OutputDirectory directory = OutputDirectory.at(csv);
      HistoryCsv.write(report, files, directory);
      directory.publish();
      text.println("Files in " + csv + ": " + String.join(", ", HistoryCsv.FILES));
    }
  }

  private static void print(HistoryReport report, PrintWriter text) {
    text.println(SimText.harmless(report.words()));
    List<ReportTable> tables =
        List.of(
            report.targets(),
            report.users(),
            report.jobs(),
            report.heldBack(),
            report.lookedOn(),
            report.saturations(),
            report.changes(),
            report.troubles());
    for (ReportTable table : tables) {
      if (!table.rows().isEmpty()) {
        text.println();
        print(table, text);
      }
    }
  }

  private static void print(ReportTable data, PrintWriter text) {
    text.println(data.caption());
    Table table = new Table(data.columns());
    data.rows().forEach(row -> table.row(row.stream().map(SimText::harmless).toList()));
    table.lines().forEach(line -> text.println("  " + line));
  }

  private static long millis(String option, String duration) {
    try {
      return Durations.millis(option, duration);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }
}
