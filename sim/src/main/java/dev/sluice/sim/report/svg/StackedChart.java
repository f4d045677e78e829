package dev.sluice.sim.report.svg;

import java.util.List;

/**
 * Amounts over time on top of each other, so that the upper edge is their sum. All series have
 * their values at the same places.
 *
 * @param reach what the axes reach at least
 */
public record StackedChart(
    String title, String xName, Unit xUnit, Unit unit, List<Series> series, Reach reach) {
  private static final int HOVER_COLUMNS_MAX = 60;
  private static final int HOVER_NAMES_MAX = 10;

  public StackedChart {
    series = List.copyOf(series);
    int size = series.isEmpty() ? 0 : series.getFirst().size();
    for (Series one : series) {
      if (one.size() != size) {
        throw new IllegalArgumentException(
            "expected " + size + " values of " + one.name() + ", not " + one.size());
      }
    }
  }

  /** The highest sum at any place. */
  public static double highestSum(List<Series> series) {
    int size = series.isEmpty() ? 0 : series.getFirst().size();
    double highest = 0;
    for (int i = 0; i < size; i++) {
      double sum = 0;
      for (Series one : series) {
        sum += one.has(i) ? one.y(i) : 0;
      }
      highest = Math.max(highest, sum);
    }
    return highest;
  }

  public String svg() {
    Extent extent = Extent.of(series);
    Frame frame =
        new Frame(
            "Stacked area chart", title, unit, series, 0, Math.max(reach.y(), highestSum(series)));
    Frame.Horizontal horizontal =
        frame.drawNumbersBelow(
            xName, xUnit, Math.min(0, extent.lowestX()), Math.max(reach.x(), extent.highestX()));
    int size = series.isEmpty() ? 0 : series.getFirst().size();
    double[] below = new double[size];
    for (Series one : series) {
      double[] above = below.clone();
      for (int i = 0; i < size; i++) {
        above[i] += one.has(i) ? Math.max(0, one.y(i)) : 0;
      }
      if (size > 0) {
        frame
            .xml()
            .empty(
                "path",
                "class",
                "fill " + one.colour().classes(),
                "d",
                area(one, below, above, frame, horizontal));
      }
      below = above;
    }
    frame.drawHoverColumns(horizontal, HOVER_COLUMNS_MAX, HOVER_NAMES_MAX);
    return frame.finish(true);
  }

  private static String area(
      Series one, double[] below, double[] above, Frame frame, Frame.Horizontal horizontal) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < above.length; i++) {
      point(path, i == 0 ? 'M' : 'L', one.x(i), above[i], frame, horizontal);
    }
    for (int i = below.length - 1; i >= 0; i--) {
      point(path, 'L', one.x(i), below[i], frame, horizontal);
    }
    return path.append('Z').toString();
  }

  private static void point(
      StringBuilder path,
      char command,
      double x,
      double y,
      Frame frame,
      Frame.Horizontal horizontal) {
    path.append(command).append(Frame.number(horizontal.x(x))).append(' ');
    path.append(Frame.number(frame.y(y)));
  }
}
