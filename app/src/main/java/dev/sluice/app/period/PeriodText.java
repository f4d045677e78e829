package dev.sluice.app.period;

import dev.sluice.app.Table;
import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** Periods as a table for people. */
final class PeriodText {
  private PeriodText() {}

  static void print(List<Analysis> analyses, PrintWriter out) {
    Table table = new Table(List.of("file", "job", "period s", "confidence", "bursts", "why not"));
    for (Analysis analysis : analyses) {
      String job = analysis.recording().job().orElse("-");
      String bursts = String.valueOf(analysis.finding().bursts().size());
      table.row(
          switch (analysis.finding().answer()) {
            case Period period ->
                List.of(
                    analysis.file(),
                    job,
                    Analysis.seconds(period),
                    String.format(Locale.ROOT, "%.2f", period.confidence()),
                    bursts,
                    "");
            case Inconclusive inconclusive ->
                List.of(
                    analysis.file(), job, "-", "-", bursts, Analysis.reason(inconclusive.reason()));
          });
    }
    table.lines().forEach(out::println);
  }
}
