package dev.sluice.papers.gift;

import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.each;
import static dev.sluice.papers.Condition.less;
import static dev.sluice.papers.Condition.more;
import static dev.sluice.papers.Condition.rising;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figure 14: more and more applications on the same targets. */
final class ContentionExperiment implements Experiment {
  private static final List<Contender> CONTENDERS = List.of(Contender.MAXMIN, Contender.GIFT);

  private final List<ApplicationSet> sets;

  ContentionExperiment(List<ApplicationSet> sets) {
    this.sets = List.copyOf(sets);
  }

  @Override
  public List<Trial> trials(long seed) {
    List<Trial> trials = new ArrayList<>();
    sets.forEach(set -> trials.addAll(SetRuns.trials(set, CONTENDERS, seed)));
    return trials;
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    List<SetRuns> runs = sets.stream().map(set -> SetRuns.of(set, CONTENDERS, outcomes)).toList();
    Comparison most = runs.getLast().of(Contender.GIFT);
    return new Chapter(
        "Figure 14: " + sets.getFirst().applications() + " to " + sets.getLast().inWords(),
        "The machine grows with the applications, the 64 targets do not.",
        List.of(
            better(runs),
            grows(runs),
            new Magnitude("14.3", "with most applications: I/O time", -0.16).beside(most.ioTime()),
            new Magnitude("14.4", "effective bandwidth", 0.30).beside(most.effectiveBandwidth()),
            new Magnitude("14.5", "run time", -0.07).beside(most.runTime())),
        List.of(table(runs), runs.getLast().partOfMaxMin()),
        List.of(
            picture("figure-14-io-time", "I/O time saved", runs, run -> -run.ioTime()),
            picture(
                "figure-14-bandwidth",
                "effective bandwidth gained",
                runs,
                Comparison::effectiveBandwidth)));
  }

  private Claim better(List<SetRuns> runs) {
    return new Claim(
            "14.1",
            "GIFT is better than POFS at every level of contention",
            figures(runs),
            all(each(times(), one -> less(one, 0)), each(bandwidths(), one -> more(one, 0))))
        .because(
            "100 applications hardly ever meet on 64 targets: there is nothing to gain, and what"
                + " differs is chance");
  }

  private Claim grows(List<SetRuns> runs) {
    return new Claim(
            "14.2",
            "the gain grows with contention",
            figures(runs),
            all(rising(bandwidths()), rising(times().reversed())))
        .orWeaker(
            all(
                rising(bandwidths().getFirst(), bandwidths().getLast()),
                rising(times().getLast(), times().getFirst())))
        .because(
            "once targets are busy nearly all the time, I/O time can only fall as bandwidth rises;"
                + " before that, jobs that are done sooner also leave others alone, and gain more");
  }

  private List<String> times() {
    return sets.stream().map(set -> "I/O time, " + set.applications()).toList();
  }

  private List<String> bandwidths() {
    return sets.stream().map(set -> "effective bandwidth, " + set.applications()).toList();
  }

  private List<Figure> figures(List<SetRuns> runs) {
    List<Figure> figures = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Comparison gift = runs.get(i).of(Contender.GIFT);
      figures.add(Figure.of(times().get(i), gift.ioTime(), Notation.CHANGE));
      figures.add(Figure.of(bandwidths().get(i), gift.effectiveBandwidth(), Notation.CHANGE));
    }
    return figures;
  }

  private FigureTable table(List<SetRuns> runs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      for (Contender one : CONTENDERS) {
        Comparison run = runs.get(i).of(one);
        rows.add(
            List.of(
                new Cell.Words(Integer.toString(sets.get(i).applications())),
                new Cell.Words(one.name()),
                Figure.of("", run.ioTime(), Notation.CHANGE),
                Figure.of("", run.runTime(), Notation.CHANGE),
                Figure.of("", run.throughput(), Notation.CHANGE),
                Figure.of("", run.effectiveBandwidth(), Notation.CHANGE),
                Figure.of("", run.worse(), Notation.PART)));
      }
    }
    return new FigureTable(
        "By number of applications",
        List.of(
            "applications",
            "policy",
            "I/O time",
            "run time",
            "jobs done",
            "effective bandwidth",
            "applications worse off"),
        rows);
  }

  private Picture picture(
      String file, String what, List<SetRuns> runs, ToDoubleFunction<Comparison> measure) {
    double[] counts = sets.stream().mapToDouble(ApplicationSet::applications).toArray();
    List<Series> series = new ArrayList<>();
    for (Contender one : CONTENDERS) {
      double[] values =
          runs.stream().mapToDouble(set -> measure.applyAsDouble(set.of(one))).toArray();
      series.add(Series.of(one.name(), new Colour(series.size() + 2), counts, values));
    }
    String caption = "Figure 14: " + what + " against pofs";
    return new Picture(
        file,
        caption,
        new LineChart(caption, "applications", Unit.NUMBER, Unit.PERCENT, series).svg());
  }
}
