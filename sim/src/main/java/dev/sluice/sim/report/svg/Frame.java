package dev.sluice.sim.report.svg;

import dev.sluice.sim.report.svg.Unit.Scale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** What all pictures have in common: size, title, value axis, legend, and where a value lies. */
final class Frame {
  static final int LEFT = 52;
  static final int RIGHT = 548;
  private static final int WIDTH = 560;
  private static final int TOP = 50;
  private static final int BOTTOM = 250;
  private static final int LEGEND_TOP = 292;
  private static final int LEGEND_ROW = 18;
  private static final int LEGEND_NAME_MAX = 28;
  private static final int TITLE_MAX = 66;
  private static final double CHARACTER_WIDTH = 6.9;
  private static final int VALUE_MARKS = 5;
  private static final int TIME_MARKS = 10;
  private static final int WORDS_SERIES_MAX = 24;

  private final Xml xml = new Xml();
  private final List<Series> series;
  private final Unit unit;
  private final Scale scale;
  private final Axis values;

  Frame(String kind, String title, Unit unit, List<Series> series, double lowest, double highest) {
    this.series = series;
    this.unit = unit;
    this.scale = unit.scaleFor(Math.max(Math.abs(lowest), Math.abs(highest)));
    this.values =
        Axis.around(scale.of(Math.min(0, lowest)), scale.of(Math.max(0, highest)), VALUE_MARKS);
    int height = LEGEND_TOP + legendRows() * LEGEND_ROW + 4;
    xml.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "chart",
        "viewBox",
        "0 0 " + WIDTH + " " + height,
        "role",
        "img",
        "aria-label",
        words(kind, title));
    xml.element("text", cut(title, TITLE_MAX), "class", "name", "x", "4", "y", "18");
    drawValueAxis();
  }

  Xml xml() {
    return xml;
  }

  private String words(String kind, String title) {
    String more = series.size() > WORDS_SERIES_MAX ? "; and others" : "";
    return kind
        + ": "
        + title
        + ". "
        + series.stream()
            .limit(WORDS_SERIES_MAX)
            .map(one -> one.inWords(unit))
            .collect(Collectors.joining("; "))
        + more
        + ".";
  }

  private void drawValueAxis() {
    if (!scale.name().isEmpty()) {
      xml.element("text", scale.name(), "class", "small", "x", "4", "y", "38");
    }
    for (double mark : values.marks()) {
      String y = number(yOfScaled(mark));
      boolean zero = Math.abs(mark) < values.step().doubleValue() / 2;
      line(zero ? "zero" : "grid", LEFT, y, RIGHT, y);
      xml.element(
          "text",
          values.text(mark),
          "x",
          number(LEFT - 6),
          "y",
          number(yOfScaled(mark) + 4),
          "text-anchor",
          "end");
    }
  }

  /** Marks below the picture for numbers; returns where a number lies. */
  Horizontal drawNumbersBelow(String name, Unit xUnit, double low, double high) {
    Scale xScale = xUnit.scaleFor(Math.max(Math.abs(low), Math.abs(high)));
    Axis axis = Axis.exactly(xScale.of(low), xScale.of(high), TIME_MARKS);
    Horizontal horizontal = new Horizontal(axis, xScale);
    for (double mark : axis.marks()) {
      double x = LEFT + axis.part(mark) * (RIGHT - LEFT);
      line("zero", x, number(BOTTOM), x, number(BOTTOM + 4));
      xml.element(
          "text",
          axis.text(mark),
          "x",
          number(x),
          "y",
          number(BOTTOM + 17),
          "text-anchor",
          "middle");
    }
    String label = xScale.name().isEmpty() ? name : name + " in " + xScale.name();
    xml.element(
        "text",
        label,
        "class",
        "small",
        "x",
        number(RIGHT),
        "y",
        number(BOTTOM + 31),
        "text-anchor",
        "end");
    return horizontal;
  }

  void drawNameBelow(String name, double x, double width) {
    xml.open("text", "x", number(x), "y", number(BOTTOM + 17), "text-anchor", "middle");
    xml.text(cut(name, (int) Math.max(3, width / CHARACTER_WIDTH)));
    xml.element("title", name).close();
  }

  /** Where numbers lie from left to right. */
  record Horizontal(Axis axis, Scale scale) {
    double x(double value) {
      return LEFT + axis.part(scale.of(value)) * (RIGHT - LEFT);
    }

    String text(double value) {
      return scale.text(value);
    }
  }

  double y(double value) {
    return yOfScaled(scale.of(value));
  }

  private double yOfScaled(double scaled) {
    return BOTTOM - values.part(scaled) * (BOTTOM - TOP);
  }

  String text(double value) {
    return scale.text(value);
  }

  /** Invisible columns over the picture that tell the values at their place. */
  void drawHoverColumns(Horizontal horizontal, int columnsMax, int namesMax) {
    int points = series.stream().mapToInt(Series::size).max().orElse(0);
    int every = Math.max(1, (points + columnsMax - 1) / columnsMax);
    for (int from = 0; from < points; from += every) {
      int index = Math.min(points - 1, from + every / 2);
      List<Series> there = new ArrayList<>();
      for (Series one : series) {
        if (one.has(index)) {
          there.add(one);
        }
      }
      if (there.isEmpty()) {
        continue;
      }
      double at = there.getFirst().x(index);
      double left = edge(there.getFirst(), from, horizontal);
      double right = edge(there.getFirst(), from + every, horizontal);
      StringBuilder text = new StringBuilder(horizontal.text(at));
      there.stream()
          .sorted(Comparator.comparingDouble((Series one) -> -one.y(index)))
          .limit(namesMax)
          .forEach(
              one -> text.append('\n').append(one.name()).append(": ").append(text(one.y(index))));
      if (there.size() > namesMax) {
        text.append("\n… and ").append(there.size() - namesMax).append(" lower");
      }
      xml.open(
          "rect",
          "class",
          "hover",
          "x",
          number(left),
          "y",
          number(TOP),
          "width",
          number(Math.max(1, right - left)),
          "height",
          number(BOTTOM - TOP));
      xml.element("title", text.toString()).close();
    }
  }

  /** Halfway between a point and the one before it, or the picture's edge. */
  private static double edge(Series one, int index, Horizontal horizontal) {
    if (index <= 0) {
      return LEFT;
    }
    return index >= one.size()
        ? RIGHT
        : (horizontal.x(one.x(index - 1)) + horizontal.x(one.x(index))) / 2;
  }

  void line(String classes, double x1, String y1, double x2, String y2) {
    xml.empty("line", "class", classes, "x1", number(x1), "y1", y1, "x2", number(x2), "y2", y2);
  }

  private int legendColumns() {
    int longest =
        series.stream().mapToInt(one -> cut(one.name(), LEGEND_NAME_MAX).length()).max().orElse(1);
    double width = 30 + longest * CHARACTER_WIDTH;
    return Math.max(1, (int) ((WIDTH - 8) / width));
  }

  private int legendRows() {
    int columns = legendColumns();
    return series.size() < 2 ? 0 : (series.size() + columns - 1) / columns;
  }

  /** Ends the picture. A single series needs no legend: the title says what it is. */
  String finish(boolean filled) {
    if (series.size() > 1) {
      int columns = legendColumns();
      double width = (WIDTH - 8.0) / columns;
      for (int i = 0; i < series.size(); i++) {
        drawLegendEntry(
            series.get(i),
            8 + i % columns * width,
            LEGEND_TOP + i / columns * LEGEND_ROW + 8.0,
            filled);
      }
    }
    return xml.close().toString();
  }

  private void drawLegendEntry(Series one, double x, double y, boolean filled) {
    if (filled) {
      xml.empty(
          "rect",
          "class",
          "fill " + one.colour().classes(),
          "x",
          number(x),
          "y",
          number(y - 9),
          "width",
          "16",
          "height",
          "10");
    } else {
      line("line " + one.colour().classes(), x, number(y - 4), x + 16, number(y - 4));
    }
    xml.open("text", "x", number(x + 21), "y", number(y));
    xml.text(cut(one.name(), LEGEND_NAME_MAX));
    if (one.name().length() > LEGEND_NAME_MAX) {
      xml.element("title", one.name());
    }
    xml.close();
  }

  static String cut(String text, int charactersMax) {
    if (text.codePointCount(0, text.length()) <= charactersMax) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, charactersMax - 1)) + "…";
  }

  /** A coordinate in tenths: finer is invisible and makes pages large. */
  static String number(double coordinate) {
    long tenths = Math.round(coordinate * 10);
    long whole = tenths / 10;
    long rest = Math.abs(tenths % 10);
    return (tenths < 0 && whole == 0 ? "-" : "") + whole + (rest == 0 ? "" : "." + rest);
  }
}
