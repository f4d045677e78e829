package dev.sluice.app;

import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ReportFiles;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command writes the report of its runs, if anywhere. */
public final class ReportOption {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write report.html, result.json and CSV files there.")
  @Nullable String out;

  /** The directory; null where no report is wanted. */
  public @Nullable OutputDirectory directory() {
    return out == null ? null : OutputDirectory.at(out);
  }

  /** Writes a report's files, which get their names when the directory is published. */
  public static void write(Report report, OutputDirectory directory) {
    ReportFiles.of(report).forEach((name, content) -> directory.write(name, content::writeTo));
  }
}
