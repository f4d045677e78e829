package dev.sluice.papers.gift;

import dev.sluice.core.policy.gift.GiftFigures;
import dev.sluice.papers.Picture;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Pictures of what GIFT's books say over time. */
final class Books {
  private static final double SECONDS_PER_HOUR = 3_600;

  private Books() {}

  /** Node-hours that are owed. */
  static Picture owed(String file, String caption, Map<String, Comparison> runs) {
    return picture(file, caption, GiftFigures.OWED_NODE_SECONDS, SECONDS_PER_HOUR, runs);
  }

  /** Coupons that were ever issued. */
  static Picture coupons(String file, String caption, Map<String, Comparison> runs) {
    return picture(file, caption, GiftFigures.COUPONS_ISSUED, 1, runs);
  }

  private static Picture picture(
      String file, String caption, String figure, double divisor, Map<String, Comparison> runs) {
    List<Series> series = new ArrayList<>();
    new TreeMap<>(runs)
        .forEach((name, run) -> {
          Timeline timeline = run.timeline(figure);
          double[] seconds = new double[timeline.size()];
          double[] values = new double[timeline.size()];
          for (int i = 0; i < values.length; i++) {
            seconds[i] = i * (timeline.widthNanos() / 1e9);
            values[i] = timeline.value(i) / divisor;
          }
          series.add(Series.of(name, new Colour(series.size()), seconds, values));
        });
    return new Picture(
        file, caption, new LineChart(caption, "time", Unit.SECONDS, Unit.NUMBER, series).svg());
  }

  /** The highest value of a figure. */
  static double highest(Comparison run, String figure) {
    Timeline timeline = run.timeline(figure);
    double highest = 0;
    for (int i = 0; i < timeline.size(); i++) {
      highest = Math.max(highest, timeline.value(i));
    }
    return highest;
  }
}
