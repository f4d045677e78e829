package dev.sluice.papers.padll;

import static dev.sluice.papers.Condition.atMost;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.papers.Cell;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Picture;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.util.List;

/**
 * One panel of figure 6: a load, limits that change over it, and what came through.
 *
 * @param name what is limited, as people write it
 * @param scale how many requests of the paper one of ours stands for
 */
record LimitedLoad(String name, LimitedReplay.Load load, LimitedReplay.Limits limits, long scale) {
  private static final int PICTURE_POINTS_MAX = 360;

  LimitedReplay run() {
    return LimitedReplay.of(load, limits);
  }

  /** That the limits held. A bucket holds one request, which may pass beside what time brings. */
  Claim held(String id, LimitedReplay replay) {
    return new Claim(
        id,
        name + " never exceeds the limits that are set",
        List.of(
            Figure.of(
                "most beyond the limit in any second",
                Math.max(0, replay.requestsBeyondMost()),
                Notation.REQUESTS),
            Figure.of("most of the limit in any second", replay.partMost(), Notation.PART)),
        atMost("most beyond the limit in any second", 1));
  }

  /** Its limits, one after another, as a row of a table. */
  List<Cell> row() {
    return List.of(
        new Cell.Words(name),
        new Cell.Words(
            String.join(
                ", ",
                limits.perSecond().stream()
                    .map(limit -> Quantities.formatRate((double) limit * scale, counted()))
                    .toList())));
  }

  /** The limits of several. */
  static FigureTable table(List<LimitedLoad> panels) {
    return new FigureTable(
        "Limits, one after another",
        List.of("what is limited", "limits"),
        panels.stream().map(LimitedLoad::row).toList());
  }

  private Counted counted() {
    return limits.unit().equals(TokenUnit.BYTES) ? Counted.BYTES : Counted.OPERATIONS;
  }

  Picture picture(LimitedReplay replay) {
    int width = Math.ceilDiv(replay.seconds(), PICTURE_POINTS_MAX);
    int points = Math.ceilDiv(replay.seconds(), width);
    double[] xs = new double[points];
    double[] baseline = new double[points];
    double[] limited = new double[points];
    double[] limit = new double[points];
    double each = (double) scale / width;
    for (int point = 0; point < points; point++) {
      xs[point] = (point + 0.5) * width;
      for (int second = point * width; second < (point + 1) * width; second++) {
        baseline[point] += replay.arrived(second) * each;
        limited[point] += replay.served(second) * each;
        limit[point] += limits.at(second) * each;
      }
    }
    String caption = name + ": without limits and with limits that change";
    return new Picture(
        "limits-" + name,
        caption,
        new LineChart(
                caption,
                "time",
                Unit.SECONDS,
                counted() == Counted.BYTES ? Unit.BYTES_PER_SECOND : Unit.OPERATIONS_PER_SECOND,
                List.of(
                    Series.of("baseline", new Colour(0), xs, baseline),
                    Series.of("limited", new Colour(1), xs, limited),
                    Series.of("limit", Colour.NEUTRAL, xs, limit)))
            .svg());
  }
}
