package dev.sluice.app.period;

import dev.sluice.core.period.Burst;
import dev.sluice.sim.report.svg.ChartStyle;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A recording as a picture: the bandwidth over time, and above it the bursts that were seen. */
final class PeriodPicture {
  private static final int COLUMNS = 480;
  private static final double NANOS_PER_SECOND = 1e9;

  /** The bursts are drawn so much above the highest bandwidth. */
  private static final double ABOVE = 1.05;

  private PeriodPicture() {}

  static String svg(Analysis analysis) {
    Recording recording = analysis.recording();
    Columns columns = Columns.of(recording);
    double[] rates = rates(recording, columns);
    double height = ABOVE * Math.max(Arrays.stream(rates).max().orElse(0), Double.MIN_NORMAL);
    double[] bursts = bursts(analysis.finding().bursts(), columns, height);
    double[] seconds = columns.seconds();
    // Other people's directories are nobody's business.
    String name = String.valueOf(Path.of(analysis.file()).getFileName());
    return ChartStyle.standalone(
        new LineChart(
                name + recording.job().map(job -> ", " + job).orElse("") + ": " + analysis.words(),
                "time",
                Unit.SECONDS,
                recording.unit() == Recording.AmountUnit.BYTES
                    ? Unit.BYTES_PER_SECOND
                    : Unit.NUMBER,
                List.of(
                    Series.of("bandwidth", new Colour(0), seconds, rates),
                    Series.of("bursts seen", new Colour(1), seconds, bursts)))
            .svg());
  }

  /** Equal parts of a recording's time. */
  private record Columns(long beginNanos, double columnNanos) {
    static Columns of(Recording recording) {
      double nanos = (double) (recording.endNanos() - recording.beginNanos());
      return new Columns(recording.beginNanos(), Math.max(1, nanos / COLUMNS));
    }

    /** Where a moment is, in columns from the left. */
    double at(long nanos) {
      return (nanos - beginNanos) / columnNanos;
    }

    /** The column of a moment; what is outside is in the first or last one. */
    int column(long nanos) {
      return Math.clamp((long) at(nanos), 0, COLUMNS - 1);
    }

    double columnSeconds() {
      return columnNanos / NANOS_PER_SECOND;
    }

    /** The middle of each column. */
    double[] seconds() {
      double[] seconds = new double[COLUMNS];
      Arrays.setAll(seconds, column -> (column + 0.5) * columnSeconds());
      return seconds;
    }
  }

  private static double[] rates(Recording recording, Columns columns) {
    double[] rates = new double[COLUMNS];
    for (Recording.Piece piece : recording.pieces()) {
      double from = columns.at(piece.fromNanos());
      double to = columns.at(piece.toNanos());
      int last = columns.column(piece.toNanos());
      for (int column = columns.column(piece.fromNanos()); column <= last; column++) {
        double share =
            piece.isAtOnce()
                ? 1
                : Math.max(0, Math.min(to, column + 1.0) - Math.max(from, column)) / (to - from);
        rates[column] += piece.amount() * share / columns.columnSeconds();
      }
    }
    return rates;
  }

  /** A line over each burst, at least from one column to the next so that it can be seen. */
  private static double[] bursts(List<Burst> bursts, Columns columns, double height) {
    double[] heights = new double[COLUMNS];
    Arrays.fill(heights, Double.NaN);
    for (Burst burst : bursts) {
      int first = Math.min(columns.column(burst.beginNanos()), COLUMNS - 2);
      int last = Math.max(first + 1, columns.column(burst.endNanos()));
      Arrays.fill(heights, first, last + 1, height);
    }
    return heights;
  }
}
