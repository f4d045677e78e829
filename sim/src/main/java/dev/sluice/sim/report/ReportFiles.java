package dev.sluice.sim.report;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** All files of a report, by name. */
public final class ReportFiles {
  private ReportFiles() {}

  /** Writes a file's text. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Appendable out) throws IOException;
  }

  /** The files in the order in which to name them. */
  public static Map<String, Content> of(Report report) {
    Map<String, Content> files = new LinkedHashMap<>();
    files.put("report.html", out -> out.append(HtmlReport.text(report)));
    files.put("result.json", out -> out.append(ResultJson.text(report)));
    files.put("policies.csv", out -> ResultCsv.policies(report, out));
    files.put("jobs.csv", out -> ResultCsv.jobs(report, out));
    files.put("targets.csv", out -> ResultCsv.targets(report, out));
    files.put("timeline.csv", out -> ResultCsv.timeline(report, out));
    files.put("figures.csv", out -> ResultCsv.figures(report, out));
    return files;
  }
}
