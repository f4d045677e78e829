package dev.sluice.papers.gift;

import static dev.sluice.papers.Condition.atMost;
import static dev.sluice.papers.Condition.each;
import static dev.sluice.papers.Condition.less;

import dev.sluice.core.policy.gift.GiftFigures;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.RunResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Figures 10 and 13: the paper's own simulation. */
final class SimulationExperiment implements Experiment {
  private static final int GROUPS = 4;

  /** The paper says "significant" without a number: so much, as we read it. */
  private static final double SIGNIFICANT_PERCENT = 10;

  private final ApplicationSet set;

  SimulationExperiment(ApplicationSet set) {
    this.set = set;
  }

  @Override
  public List<Trial> trials(long seed) {
    return SetRuns.trials(set, Contender.ALL, seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    SetRuns runs = SetRuns.of(set, Contender.ALL, outcomes);
    Comparison gift = runs.of(Contender.GIFT);
    List<Characteristic> characteristics =
        characteristics(outcomes.of(SetRuns.name(set, Contender.GIFT)));
    List<Claim> claims = new ArrayList<>();
    claims.add(new Magnitude("10.1", "mean I/O time", -0.15).beside(gift.ioTime()));
    claims.add(
        new Magnitude("10.2", "effective bandwidth", 0.25).beside(gift.effectiveBandwidth()));
    claims.add(new Magnitude("10.3", "run time", -0.04).beside(gift.runTime()));
    claims.add(new Magnitude("10.4", "jobs done", 0.02).beside(gift.throughput()));
    claims.addAll(Reading.both(reading -> reading.shortest("10.5", runs)));
    claims.addAll(Reading.both(reading -> reading.bandwidth("10.6", runs)));
    claims.addAll(Reading.both(reading -> reading.fewestWorse("10.7", runs)));
    claims.add(paid(gift));
    characteristics.forEach(one -> claims.add(one.claim(gift)));

    List<Picture> pictures = new ArrayList<>();
    pictures.add(PolicyBars.improvements("figure-10", "Figure 10: improvement against pofs", runs));
    characteristics.forEach(one -> pictures.add(one.picture(gift)));
    return new Chapter(
        "Figures 10, 13: " + set.inWords(),
        "The paper simulates 25 days; five seeds of 5 days are as long. TSA, ESA, TMF and RND with"
            + " GIFT's linear program (\"with LP\") differ from GIFT only in whom they may"
            + " throttle, and gain as much. What coupons add to that is that whoever is slowed down"
            + " is owed for it, within a budget.",
        claims,
        List.of(runs.table(), runs.partOfMaxMin()),
        pictures);
  }

  private static Claim paid(Comparison gift) {
    double paid = gift.total(GiftFigures.AWARDED_NODE_SECONDS) / 3_600;
    return new Claim(
        "10.8",
        "what is given out for coupons is less than 7 % of the node-hours gained",
        List.of(
            Figure.of("part of the gain", paid / gift.savedNodeHours(), Notation.PART),
            Figure.of("given out", paid, Notation.NODE_HOURS),
            Figure.of("gained", gift.savedNodeHours(), Notation.NODE_HOURS)),
        less("part of the gain", 7));
  }

  /** Figure 13: what an application is like, in groups of about equal size. */
  private record Characteristic(
      String id, String words, Map<String, Integer> groups, List<String> names) {
    private static final List<String> QUARTERS =
        List.of("least quarter", "second", "third", "most");

    double[] improvements(Comparison gift) {
      double[] improvements = new double[names.size()];
      for (int i = 0; i < improvements.length; i++) {
        int group = i;
        improvements[i] = -gift.ioTime(name -> groups.getOrDefault(name, -1) == group);
      }
      return improvements;
    }

    Claim claim(Comparison gift) {
      double[] improvements = improvements(gift);
      List<Figure> figures = new ArrayList<>();
      for (int i = 0; i < improvements.length; i++) {
        figures.add(Figure.of(QUARTERS.get(i), -improvements[i], Notation.CHANGE));
      }
      return new Claim(
              id,
              "I/O time falls significantly whatever the " + words,
              figures,
              each(QUARTERS, quarter -> atMost(quarter, -SIGNIFICANT_PERCENT)))
          .orWeaker(each(QUARTERS, quarter -> less(quarter, 0)));
    }

    Picture picture(Comparison gift) {
      String caption = "Figure " + id + ": I/O time saved by " + words;
      return new Picture(
          "figure-" + id.replace('.', '-'),
          caption,
          new BarChart(
                  caption,
                  Unit.PERCENT,
                  names,
                  List.of(Series.bars("gift", new Colour(3), improvements(gift))))
              .svg());
    }
  }

  private List<Characteristic> characteristics(RunResult run) {
    Map<String, Application> drawn =
        set.drawn(run.seed()).stream()
            .collect(Collectors.toMap(Application::name, Function.identity()));
    return List.of(
        characteristic("13.1", "number of runs", "%.0f runs", drawn, Application::runsPerMonth),
        characteristic("13.2", "number of I/O phases", "%.0f phases", drawn, Application::phases),
        characteristic("13.3", "size of a phase", "%.0f GB", drawn, one -> one.phaseBytes() / 1e9));
  }

  private static Characteristic characteristic(
      String id,
      String words,
      String format,
      Map<String, Application> drawn,
      ToDoubleFunction<Application> of) {
    double[] sorted = drawn.values().stream().mapToDouble(of).sorted().toArray();
    double[] limits = new double[GROUPS - 1];
    List<String> names = new ArrayList<>();
    for (int i = 0; i < limits.length; i++) {
      limits[i] = sorted[sorted.length * (i + 1) / GROUPS];
      names.add("below " + String.format(Locale.ROOT, format, limits[i]));
    }
    names.add("the rest");
    Map<String, Integer> groups = new HashMap<>();
    drawn.forEach((name, application) -> {
      int group = 0;
      while (group < limits.length && of.applyAsDouble(application) >= limits[group]) {
        group++;
      }
      groups.put(name, group);
    });
    return new Characteristic(id, words, groups, names);
  }
}
