package dev.sluice.papers.gift;

import dev.sluice.papers.Picture;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The pictures that several figures share: one bar or line for each policy. */
final class PolicyBars {
  private static final int POINTS = 100;

  private PolicyBars() {}

  /** What is measured of a run so that more of it is better. */
  private record Measure(String name, ToDoubleFunction<Comparison> of) {}

  private static final List<Measure> MEASURES =
      List.of(
          new Measure("I/O time", run -> -run.ioTime()),
          new Measure("run time", run -> -run.runTime()),
          new Measure("effective bandwidth", Comparison::effectiveBandwidth),
          new Measure("jobs done", Comparison::throughput));

  /** What improves under each policy; higher is better, as in the paper. */
  static Picture improvements(String file, String caption, SetRuns runs) {
    List<Series> series = new ArrayList<>();
    runs.all()
        .forEach((name, run) -> {
          double[] values =
              MEASURES.stream().mapToDouble(one -> one.of().applyAsDouble(run)).toArray();
          series.add(Series.bars(name, new Colour(series.size()), values));
        });
    List<String> categories = MEASURES.stream().map(Measure::name).toList();
    return new Picture(
        file, caption, new BarChart(caption, Unit.PERCENT, categories, series).svg());
  }

  /** How the change of I/O time is spread over the applications. */
  static Picture spread(String file, String caption, SetRuns runs) {
    List<Series> series = new ArrayList<>();
    runs.all()
        .forEach((name, run) -> {
          double[] changes = run.ioTimes();
          double[] parts = new double[POINTS + 1];
          double[] values = new double[POINTS + 1];
          for (int i = 0; i <= POINTS; i++) {
            parts[i] = (double) i / POINTS;
            values[i] = changes[(changes.length - 1) * i / POINTS];
          }
          series.add(Series.of(name, new Colour(series.size()), parts, values));
        });
    return new Picture(
        file,
        caption,
        new LineChart(caption, "applications", Unit.PERCENT, Unit.PERCENT, series).svg());
  }

  /** The part of the applications that are worse off, a bar for each policy. */
  static Picture worse(String file, String caption, SetRuns runs) {
    double[] values = runs.all().values().stream().mapToDouble(Comparison::worse).toArray();
    return new Picture(
        file,
        caption,
        new BarChart(
                caption,
                Unit.PERCENT,
                List.copyOf(runs.all().keySet()),
                List.of(Series.bars("worse off", new Colour(0), values)))
            .svg());
  }
}
