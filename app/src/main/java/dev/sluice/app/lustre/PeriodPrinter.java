package dev.sluice.app.lustre;

import dev.sluice.app.LiveScreen;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.control.PeriodReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Shows each period on a screen, and problems once when they come and once when they go. */
final class PeriodPrinter {
  private static final int JOBS_SHOWN = 15;

  private final PrintWriter out;
  private final LiveScreen screen;
  private final LustreConfiguration configuration;
  private List<String> problems = List.of();

  PeriodPrinter(PrintWriter out, LiveScreen screen, LustreConfiguration configuration) {
    this.out = out;
    this.screen = screen;
    this.configuration = configuration;
  }

  void show(PeriodReport report) {
    if (!report.problems().equals(problems)) {
      screen.clear();
      report.problems().forEach(problem -> out.println("note: " + problem));
      if (report.problems().isEmpty()) {
        out.println("note: all is well again");
      }
      out.flush();
      problems = report.problems();
    }
    screen.show(new Picture(report, configuration));
  }

  private record Picture(PeriodReport report, LustreConfiguration configuration)
      implements LiveScreen.Picture {
    @Override
    public List<String> lines() {
      List<String> lines = new ArrayList<>();
      lines.add(line());
      lines.addAll(LustreText.jobs(report, JOBS_SHOWN));
      return lines;
    }

    @Override
    public String line() {
      return LustreText.period(report, configuration);
    }
  }
}
