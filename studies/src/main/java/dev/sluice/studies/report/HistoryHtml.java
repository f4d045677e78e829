package dev.sluice.studies.report;

import dev.sluice.history.model.Sample;
import dev.sluice.history.report.Course;
import dev.sluice.sim.report.HtmlPage;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Reach;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.StackedChart;
import dev.sluice.sim.report.svg.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * History as one page that needs nothing but itself. Names come from strangers; the page writes
 * them as text, whatever they hold.
 */
public final class HistoryHtml {
  private static final String TIME = "time since the beginning";

  /** Targets with a curve of their own. */
  private static final int TARGETS_MAX = 8;

  private HistoryHtml() {}

  public static String page(HistoryReport report) {
    HtmlPage page = new HtmlPage("What happened on the storage");
    page.section("Over all").paragraph(report.words()).table(report.targets());
    page.section("Who used most")
        .figures(List.of(jobs(report.course())))
        .table(report.users())
        .table(report.jobs());
    HtmlPage.Section heldBack = page.section("Who was held back, and why");
    sentences(heldBack, report.heldBack(), "No job had to wait noticeably.");
    if (!report.lookedOn().rows().isEmpty()) {
      page.section("What would have been done").table(report.lookedOn());
    }
    HtmlPage.Section saturation = page.section("When targets were saturated");
    saturation.figures(List.of(utilisation(report.course())));
    if (report.saturations().rows().isEmpty()) {
      saturation.paragraph("No target served all that it could at any time.");
    } else {
      saturation.table(report.saturations());
    }
    sentences(page.section("What was changed"), report.changes(), "Nobody changed anything.");
    sentences(page.section("Alerts and troubles"), report.troubles(), "There were none.");
    return page.html();
  }

  private static void sentences(HtmlPage.Section section, ReportTable table, String none) {
    if (table.rows().isEmpty()) {
      section.paragraph(none);
    } else {
      section.sentences(table);
    }
  }

  private static String jobs(Course course) {
    List<Series> series = new ArrayList<>();
    for (Map.Entry<String, Course.Curve> job : course.jobs().entrySet()) {
      boolean others = job.getKey().equals(Sample.OTHERS);
      series.add(
          Series.of(
              others ? "others" : job.getKey(),
              others ? Colour.NEUTRAL : new Colour(series.size()),
              course.seconds(),
              job.getValue().bytesPerSecond()));
    }
    return new StackedChart(
            "What jobs moved", TIME, Unit.SECONDS, Unit.BYTES_PER_SECOND, series, Reach.VALUES)
        .svg();
  }

  private static String utilisation(Course course) {
    List<Series> series = new ArrayList<>();
    for (Map.Entry<String, Course.Curve> target : course.targets().entrySet()) {
      if (series.size() < TARGETS_MAX) {
        series.add(
            Series.of(
                target.getKey(),
                new Colour(series.size()),
                course.seconds(),
                target.getValue().utilisation()));
      }
    }
    return new LineChart(
            "What part of their capacity targets used",
            TIME,
            Unit.SECONDS,
            Unit.PERCENT,
            series,
            new Reach(0, 1))
        .svg();
  }
}
