package dev.sluice.sim.report.svg;

import java.util.List;

/**
 * Groups of bars, one group for each category and in it one bar for each series. Bars begin at
 * zero: what is below is a loss and points down.
 */
public record BarChart(String title, Unit unit, List<String> categories, List<Series> series) {
  private static final double GROUP_PART = 0.84;
  private static final double BAR_WIDTH_MAX = 48;
  private static final double LABEL_WIDTH_MIN = 30;

  public BarChart {
    categories = List.copyOf(categories);
    series = List.copyOf(series);
    for (Series one : series) {
      if (one.size() != categories.size()) {
        throw new IllegalArgumentException(
            "expected " + categories.size() + " bars of " + one.name() + ", not " + one.size());
      }
    }
  }

  public String svg() {
    Extent extent = Extent.of(series);
    Frame frame = new Frame("Bar chart", title, unit, series, extent.lowestY(), extent.highestY());
    double groupWidth = (double) (Frame.RIGHT - Frame.LEFT) / Math.max(1, categories.size());
    double barWidth = Math.min(BAR_WIDTH_MAX, groupWidth * GROUP_PART / Math.max(1, series.size()));
    for (int category = 0; category < categories.size(); category++) {
      double middle = Frame.LEFT + (category + 0.5) * groupWidth;
      frame.drawNameBelow(categories.get(category), middle, groupWidth);
      double left = middle - barWidth * series.size() / 2;
      for (int i = 0; i < series.size(); i++) {
        if (series.get(i).has(category)) {
          draw(series.get(i), category, left + i * barWidth, barWidth, frame);
        }
      }
    }
    return frame.finish(true);
  }

  private void draw(Series one, int category, double x, double width, Frame frame) {
    double value = one.y(category);
    double top = frame.y(Math.max(0, value));
    double bottom = frame.y(Math.min(0, value));
    Xml xml = frame.xml();
    xml.open(
        "rect",
        "class",
        "fill " + one.colour().classes(),
        "x",
        Frame.number(x + width * 0.05),
        "y",
        Frame.number(top),
        "width",
        Frame.number(width * 0.9),
        "height",
        Frame.number(Math.max(0.5, bottom - top)));
    xml.element("title", categories.get(category) + ", " + one.name() + ": " + frame.text(value))
        .close();
    if (width >= LABEL_WIDTH_MIN) {
      String text = frame.text(value);
      int unitAt = text.indexOf(' ');
      xml.element(
          "text",
          unitAt < 0 ? text : text.substring(0, unitAt),
          "class",
          "small",
          "x",
          Frame.number(x + width / 2),
          "y",
          Frame.number(value < 0 ? bottom + 11 : top - 3),
          "text-anchor",
          "middle");
    }
  }
}
