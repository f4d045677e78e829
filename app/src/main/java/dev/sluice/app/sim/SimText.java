package dev.sluice.app.sim;

import dev.sluice.app.Table;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.sim.report.Comparison;
import dev.sluice.sim.report.Report;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.run.SimRuns;
import java.io.PrintWriter;
import java.util.List;

/** Simulations as tables for people. */
public final class SimText {
  private SimText() {}

  static void print(Report report, PrintWriter out) {
    Comparison comparison = new Comparison(report);
    print(comparison.policies(), out);
    out.println();
    print(comparison.jobs(), out);
  }

  private static void print(ReportTable data, PrintWriter out) {
    out.println(data.caption());
    Table table = new Table(data.columns());
    data.rows().forEach(row -> table.row(row.stream().map(SimText::harmless).toList()));
    table.lines().forEach(line -> out.println("  " + line));
  }

  /** What the machine took for it; never in files, which are the same on every machine. */
  static void printCost(List<SimRuns.Outcome> outcomes, PrintWriter out) {
    out.println();
    out.println("Time on this machine");
    for (SimRuns.Outcome outcome : outcomes) {
      double seconds = Math.max(1, outcome.wallNanos()) / 1e9;
      String speed =
          Quantities.formatRate(outcome.result().events() / seconds, Counted.OPERATIONS)
              .replace("ops/s", "events/s");
      out.println(
          "  "
              + outcome.result().policy()
              + ": "
              + Quantities.formatDuration(outcome.wallNanos())
              + ", "
              + speed);
    }
  }

  /** The text without characters that a terminal would obey. */
  public static String harmless(String text) {
    StringBuilder harmless = new StringBuilder();
    text.codePoints()
        .forEach(c -> {
          int type = Character.getType(c);
          boolean obeyed =
              type == Character.CONTROL
                  || type == Character.FORMAT
                  || type == Character.SURROGATE
                  || type == Character.LINE_SEPARATOR
                  || type == Character.PARAGRAPH_SEPARATOR;
          harmless.appendCodePoint(obeyed ? 0xFFFD : c);
        });
    return harmless.toString();
  }
}
