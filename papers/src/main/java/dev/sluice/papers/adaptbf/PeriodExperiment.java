package dev.sluice.papers.adaptbf;

import static dev.sluice.papers.Condition.rising;

import dev.sluice.core.model.Quantities;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Section IV-H: how often to decide. */
final class PeriodExperiment implements Experiment {
  private static final long[] PERIODS_NANOS = {
    50_000_000, 100_000_000, 200_000_000, 500_000_000, 1_000_000_000, 2_000_000_000
  };

  @Override
  public List<Trial> trials(long seed) {
    Scenario scenario = PolicyRuns.scenario(RecompensationExperiment.SCENARIO, seed);
    List<Trial> trials = new ArrayList<>();
    for (long period : PERIODS_NANOS) {
      trials.add(new Trial(name(period), scenario.withPeriodNanos(period), "adaptbf"));
    }
    return trials;
  }

  private static String name(long periodNanos) {
    return "period-" + periodNanos;
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    double[] seconds = new double[PERIODS_NANOS.length];
    double[] totals = new double[PERIODS_NANOS.length];
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = PERIODS_NANOS[i] / 1e9;
      totals[i] =
          Summary.of(outcomes.of(name(PERIODS_NANOS[i]))).total().bytesPerSecond().orElse(0);
      figures.add(
          Figure.of(
              Quantities.formatDuration(PERIODS_NANOS[i]),
              totals[i],
              Notation.MEGABYTES_PER_SECOND));
    }
    String caption = "Aggregate throughput against the period";
    Series series = Series.of("AdapTBF", new Colour(2), seconds, totals);
    return new Chapter(
        "IV-H Allocation frequency",
        "The jobs of IV-F with other periods. A longer period lets tokens lie with jobs whose burst"
            + " is over, and lets bursts wait for tokens.",
        List.of(
            new Claim(
                    "IV-H.1",
                    "a shorter period gives more throughput",
                    figures,
                    rising(PolicyRuns.names(figures).reversed()))
                .orWeaker(rising(figures.getLast().name(), figures.getFirst().name()))),
        List.of(),
        List.of(
            new Picture(
                "period-throughput",
                caption,
                new LineChart(
                        caption, "period", Unit.SECONDS, Unit.BYTES_PER_SECOND, List.of(series))
                    .svg())));
  }
}
