package dev.sluice.papers.arena;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Condition;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Rivals;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A contest with its table, its pictures, and how our policy does beside the paper's own. */
final class ContestExperiment implements Experiment {
  /** What differs by less is the same: runs with other seeds differ by more. */
  private static final double SAME_PERCENT = 1;

  private final Contest contest;

  ContestExperiment(Contest contest) {
    this.contest = contest;
  }

  @Override
  public List<Trial> trials(long seed) {
    List<Trial> trials = new ArrayList<>();
    List<Scenario> scenarios = contest.scenarios(seed);
    for (Entrant entrant : contest.entrants()) {
      for (int i = 0; i < scenarios.size(); i++) {
        trials.add(
            new Trial(name(entrant, i), scenarios.get(i), entrant.policy(), entrant.settings()));
      }
    }
    return trials;
  }

  private String name(Entrant entrant, int scenario) {
    return contest.id() + ", " + entrant.title() + ", " + scenario;
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    Map<String, double[]> measured = new LinkedHashMap<>();
    int scenarios = contest.scenarios(outcomes.seed()).size();
    List<RunResult> baseline = runs(contest.entrants().getFirst(), scenarios, outcomes);
    for (Entrant entrant : contest.entrants()) {
      measured.put(entrant.title(), contest.measure(runs(entrant, scenarios, outcomes), baseline));
    }
    return new Chapter(
        contest.heading(),
        contest.text(),
        claims(measured),
        List.of(table(measured)),
        pictures(measured));
  }

  private List<RunResult> runs(Entrant entrant, int scenarios, Outcomes outcomes) {
    List<RunResult> runs = new ArrayList<>();
    for (int i = 0; i < scenarios; i++) {
      runs.add(outcomes.of(name(entrant, i)));
    }
    return runs;
  }

  private FigureTable table(Map<String, double[]> measured) {
    List<String> columns = new ArrayList<>(List.of("policy"));
    contest.metrics().forEach(metric -> columns.add(metric.column()));
    columns.add("best in");
    List<List<Cell>> rows = new ArrayList<>();
    measured.forEach((title, values) -> {
      List<Cell> row = new ArrayList<>();
      row.add(new Cell.Words(title));
      int best = 0;
      for (int i = 0; i < values.length; i++) {
        row.add(figure(contest.metrics().get(i).name(), i, values[i]));
        best += isBest(i, values[i], measured) ? 1 : 0;
      }
      row.add(Figure.of("best in", best, Notation.COUNT));
      rows.add(row);
    });
    return new FigureTable(
        "Every policy, and in how many of the metrics nobody is better", columns, rows);
  }

  private Figure figure(String name, int metric, double value) {
    return Figure.of(name, value, contest.metrics().get(metric).notation());
  }

  private boolean isBest(int metric, double value, Map<String, double[]> measured) {
    double ours = figure("", metric, value).value();
    return contest.metrics().get(metric).judged()
        && measured.values().stream()
            .noneMatch(other ->
                contest
                    .metrics()
                    .get(metric)
                    .isBetter(figure("", metric, other[metric]).value(), ours));
  }

  /** In each metric: as good as the other, or better. */
  private List<Claim> claims(Map<String, double[]> measured) {
    List<Claim> claims = new ArrayList<>();
    for (Contest.Duel duel : contest.duels()) {
      double[] ours = Objects.requireNonNull(measured.get(duel.ours()), duel.ours());
      double[] theirs = Objects.requireNonNull(measured.get(duel.theirs()), duel.theirs());
      for (int i = 0; i < ours.length; i++) {
        Metric metric = contest.metrics().get(i);
        if (!metric.judged()) {
          continue;
        }
        claims.add(
            new Claim(
                    contest.id() + "." + (claims.size() + 1),
                    metric.name() + ": " + duel.ours() + " is no worse than " + duel.theirs(),
                    List.of(
                        Figure.of("gain", gain(metric, ours[i], theirs[i]), Notation.CHANGE),
                        figure("ours", i, ours[i]),
                        figure("theirs", i, theirs[i])),
                    Condition.atLeast("gain", 0))
                .orWeaker(Condition.atLeast("gain", -SAME_PERCENT))
                .within(new Rivals("ours", "theirs", metric.lessIsBetter()))
                .because(metric.loss()));
      }
    }
    claims.addAll(contest.promises(measured));
    return claims;
  }

  /** By which part of theirs ours is better; differences of parts of a whole count in points. */
  private static double gain(Metric metric, double ours, double theirs) {
    double sign = metric.lessIsBetter() ? -1 : 1;
    return switch (metric.notation()) {
      case CHANGE, PART, POINTS, SMALL_PART -> sign * (ours - theirs);
      default -> sign * (ours / theirs - 1);
    };
  }

  private List<Picture> pictures(Map<String, double[]> measured) {
    List<Picture> pictures = new ArrayList<>();
    for (int i = 0; i < contest.metrics().size(); i++) {
      int metric = i;
      List<Series> series = new ArrayList<>();
      measured.forEach((title, values) -> {
        double value = figure("", metric, values[metric]).value();
        double[] bar = {Double.isFinite(value) ? value : 0};
        series.add(Series.bars(title, new Colour(series.size()), bar));
      });
      String caption = contest.heading() + ": " + contest.metrics().get(i).name();
      pictures.add(
          new Picture(
              contest.id() + "-" + (i + 1),
              caption,
              new BarChart(caption, Unit.NUMBER, List.of(contest.id()), series).svg()));
    }
    return pictures;
  }
}
