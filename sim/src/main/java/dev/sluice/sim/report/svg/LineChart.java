package dev.sluice.sim.report.svg;

import java.util.List;

/**
 * Values over time or over another number, a line for each series.
 *
 * @param xName what the horizontal axis is
 * @param reach what the axes reach at least
 */
public record LineChart(
    String title, String xName, Unit xUnit, Unit unit, List<Series> series, Reach reach) {
  /** More points than this are a line; fewer are marked one by one. */
  private static final int MARKED_POINTS_MAX = 24;

  private static final int HOVER_COLUMNS_MAX = 60;
  private static final int HOVER_NAMES_MAX = 10;

  public LineChart {
    series = List.copyOf(series);
  }

  public LineChart(String title, String xName, Unit xUnit, Unit unit, List<Series> series) {
    this(title, xName, xUnit, unit, series, Reach.VALUES);
  }

  public String svg() {
    Extent extent = Extent.of(series);
    Frame frame =
        new Frame(
            "Line chart",
            title,
            unit,
            series,
            extent.lowestY(),
            Math.max(reach.y(), extent.highestY()));
    Frame.Horizontal horizontal =
        frame.drawNumbersBelow(
            xName, xUnit, Math.min(0, extent.lowestX()), Math.max(reach.x(), extent.highestX()));
    for (Series one : series) {
      String path = path(one, frame, horizontal);
      if (!path.isEmpty()) {
        frame.xml().empty("path", "class", "line " + one.colour().classes(), "d", path);
      }
    }
    if (series.stream().allMatch(one -> one.size() <= MARKED_POINTS_MAX)) {
      series.forEach(one -> mark(one, frame, horizontal));
    }
    frame.drawHoverColumns(horizontal, HOVER_COLUMNS_MAX, HOVER_NAMES_MAX);
    return frame.finish(false);
  }

  private static String path(Series one, Frame frame, Frame.Horizontal horizontal) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < one.size(); i++) {
      if (one.has(i)) {
        path.append(drawing ? 'L' : 'M').append(Frame.number(horizontal.x(one.x(i))));
        path.append(' ').append(Frame.number(frame.y(one.y(i))));
      }
      drawing = one.has(i);
    }
    return path.toString();
  }

  private static void mark(Series one, Frame frame, Frame.Horizontal horizontal) {
    for (int i = 0; i < one.size(); i++) {
      if (one.has(i)) {
        frame
            .xml()
            .empty(
                "circle",
                "class",
                "fill " + one.colour().classes(),
                "cx",
                Frame.number(horizontal.x(one.x(i))),
                "cy",
                Frame.number(frame.y(one.y(i))),
                "r",
                "3");
      }
    }
  }
}
