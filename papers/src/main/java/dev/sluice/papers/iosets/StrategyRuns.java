package dev.sluice.papers.iosets;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** A scenario under several strategies, and what all experiments show of them. */
final class StrategyRuns {
  private static final long BEGIN_NANOS = 400_000_000_000L;

  private final String scenario;
  private final Map<Strategy, Window> windows = new EnumMap<>(Strategy.class);

  private StrategyRuns(String scenario) {
    this.scenario = scenario;
  }

  /** The scenario under each strategy, to its end and to the beginning of the window. */
  static List<Trial> trials(String scenario, Timing timing, List<Strategy> strategies, long seed) {
    Scenario whole = timing.scenario(scenario, seed);
    List<Trial> trials = new ArrayList<>();
    for (Strategy strategy : strategies) {
      String name = name(timing.name(scenario), strategy);
      trials.add(new Trial(name, whole, strategy.policy(), strategy.settings()));
      trials.add(
          new Trial(
              name + "-begin",
              whole.withEndNanos(BEGIN_NANOS),
              strategy.policy(),
              strategy.settings()));
    }
    return trials;
  }

  private static String name(String scenario, Strategy strategy) {
    return scenario + "-" + strategy.name().toLowerCase(Locale.ROOT);
  }

  static StrategyRuns of(
      String scenario, Timing timing, List<Strategy> strategies, Outcomes outcomes) {
    StrategyRuns runs = new StrategyRuns(timing.name(scenario));
    for (Strategy strategy : strategies) {
      String name = name(runs.scenario, strategy);
      runs.windows.put(strategy, Window.between(outcomes.of(name + "-begin"), outcomes.of(name)));
    }
    return runs;
  }

  Window window(Strategy strategy) {
    return Objects.requireNonNull(windows.get(strategy), strategy::title);
  }

  FigureTable table() {
    List<List<Cell>> rows = new ArrayList<>();
    windows.forEach((strategy, window) ->
        rows.add(
            List.of(
                new Cell.Words(strategy.title()),
                ratio("max stretch", window.maxStretch()),
                ratio("mean stretch", window.meanStretch()),
                ratio("I/O slowdown", window.ioSlowdown()),
                ratio("utilization", window.utilisation()))));
    return new FigureTable(
        "The four metrics between 400 s and 3,200 s",
        List.of("strategy", "max stretch", "geometric mean stretch", "I/O slowdown", "utilization"),
        rows);
  }

  List<Picture> pictures() {
    return List.of(
        picture("max-stretch", "Maximum stretch", Window::maxStretch),
        picture("mean-stretch", "Geometric mean of stretches", Window::meanStretch),
        picture("io-slowdown", "I/O slowdown", Window::ioSlowdown),
        picture("utilization", "Utilization of the compute side", Window::utilisation));
  }

  /** One bar for each strategy; what is infinite has none. */
  private Picture picture(String file, String caption, ToDoubleFunction<Window> metric) {
    List<Series> series = new ArrayList<>();
    windows.forEach((strategy, window) -> {
      double value = metric.applyAsDouble(window);
      double[] bar = {Double.isFinite(value) ? value : 0};
      series.add(Series.bars(strategy.title(), new Colour(series.size()), bar));
    });
    return new Picture(
        scenario + "-" + file,
        caption,
        new BarChart(caption, Unit.NUMBER, List.of(scenario), series).svg());
  }

  static Figure ratio(String name, double value) {
    return Figure.of(name, value, Notation.RATIO);
  }

  /** How much more or less a value is than another. */
  static Figure change(String name, double value, double than) {
    return Figure.of(name, value / than - 1, Notation.CHANGE);
  }

  /** How much more or less each metric is than in another window. */
  static List<Figure> changes(Window ours, Window than) {
    return List.of(
        change("max stretch", ours.maxStretch(), than.maxStretch()),
        change("mean stretch", ours.meanStretch(), than.meanStretch()),
        change("I/O slowdown", ours.ioSlowdown(), than.ioSlowdown()),
        change("utilization", ours.utilisation(), than.utilisation()));
  }
}
