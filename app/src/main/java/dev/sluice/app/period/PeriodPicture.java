package dev.sluice.app.period;

import dev.sluice.core.period.Burst;
import dev.sluice.sim.report.svg.ChartStyle;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.util.Arrays;
import java.util.List;

/** A recording as a picture: the bandwidth over time, and above it the bursts that were seen. */
final class PeriodPicture {
  private static final int COLUMNS = 480;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The bursts are drawn so much above the highest bandwidth. */
  private static final double ABOVE = 1.05;

  /** A line to a burst's begin, one to its end, and a gap. */
  private static final int POINTS_PER_BURST = 3;

  private PeriodPicture() {}

  static String svg(Analysis analysis) {
    Recording recording = analysis.recording();
    Series bandwidth = bandwidth(recording);
    Series bursts =
        bursts(analysis.finding().bursts(), recording, ABOVE * Math.max(bandwidth.highest(), 1e-9));
    String name = analysis.file() + recording.job().map(job -> ", " + job).orElse("");
    return ChartStyle.standalone(
        new LineChart(
                name + ": " + analysis.words(),
                "time",
                Unit.SECONDS,
                recording.unit() == Recording.AmountUnit.BYTES
                    ? Unit.BYTES_PER_SECOND
                    : Unit.NUMBER,
                List.of(bandwidth, bursts))
            .svg());
  }

  private static Series bandwidth(Recording recording) {
    double columnNanos =
        Math.max(1, (double) (recording.endNanos() - recording.beginNanos()) / COLUMNS);
    double[] amounts = new double[COLUMNS];
    for (Recording.Piece piece : recording.pieces()) {
      double from = (piece.fromNanos() - recording.beginNanos()) / columnNanos;
      double to = (piece.toNanos() - recording.beginNanos()) / columnNanos;
      int last = Math.min(COLUMNS - 1, (int) to);
      for (int column = Math.min(COLUMNS - 1, (int) from); column <= last; column++) {
        double share =
            piece.isAtOnce()
                ? 1
                : (Math.min(to, column + 1.0) - Math.max(from, column)) / (to - from);
        amounts[column] += piece.amount() * share;
      }
    }
    double columnSeconds = columnNanos / NANOS_PER_SECOND;
    double[] seconds = new double[COLUMNS];
    Arrays.setAll(seconds, column -> (column + 0.5) * columnSeconds);
    double[] rates = Arrays.stream(amounts).map(amount -> amount / columnSeconds).toArray();
    return Series.of("bandwidth", new Colour(0), seconds, rates);
  }

  private static Series bursts(List<Burst> bursts, Recording recording, double height) {
    double[] seconds = new double[bursts.size() * POINTS_PER_BURST];
    double[] heights = new double[seconds.length];
    for (int i = 0; i < bursts.size(); i++) {
      double begin = secondsIn(recording, bursts.get(i).beginNanos());
      double end = secondsIn(recording, bursts.get(i).endNanos());
      int at = i * POINTS_PER_BURST;
      seconds[at] = begin;
      seconds[at + 1] = end;
      seconds[at + 2] = end;
      heights[at] = height;
      heights[at + 1] = height;
      heights[at + 2] = Double.NaN;
    }
    return Series.of("bursts seen", new Colour(1), seconds, heights);
  }

  /** A moment on the picture, which ends where the recording does. */
  private static double secondsIn(Recording recording, long nanos) {
    double seconds = (nanos - recording.beginNanos()) / NANOS_PER_SECOND;
    return Math.clamp(seconds, 0, recording.seconds());
  }
}
