package dev.sluice.papers.gift;

import static dev.sluice.papers.Condition.all;
import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.atMost;
import static dev.sluice.papers.Condition.each;
import static dev.sluice.papers.Condition.less;
import static dev.sluice.papers.Condition.more;
import static dev.sluice.papers.Condition.near;

import dev.sluice.core.policy.gift.GiftFigures;
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
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Figures 11 and 12: GIFT with other parameters. */
final class ParametersExperiment implements Experiment {
  private static final Sweep TAU = new Sweep("tau", "0.8", List.of("0.1", "0.5", "0.8", "0.95"));
  private static final Sweep THRESHOLD =
      new Sweep("threshold", "0.1", List.of("0.05", "0.1", "0.2", "0.4", "0.8"));
  private static final Sweep WINDOW =
      new Sweep("window", "250", List.of("50", "250", "1000", "4000"));

  private static final Contender HARDLY_REDEEMED = Contender.gift("tau", "0.1");
  private static final Contender MUCH_THROTTLED = Contender.gift("threshold", "0.8");

  /** What "needs no tuning" allows I/O time to differ by. */
  private static final double TUNING_POINTS = 2;

  /** What "does not impact" allows. */
  private static final double NO_IMPACT_POINTS = 1;

  private static final String CHANCE =
      "in five days chance alone moves I/O time and bandwidth by a point or two";

  private final ApplicationSet set;

  ParametersExperiment(ApplicationSet set) {
    this.set = set;
  }

  /** A parameter's values; GIFT as it is stands for the default one. */
  private record Sweep(String parameter, String byDefault, List<String> values) {
    List<Contender> contenders() {
      return values.stream()
          .map(value -> value.equals(byDefault) ? Contender.GIFT : Contender.gift(parameter, value))
          .toList();
    }
  }

  private static List<Contender> contenders() {
    Set<Contender> all = new LinkedHashSet<>();
    for (Sweep sweep : List.of(TAU, THRESHOLD, WINDOW)) {
      all.addAll(sweep.contenders());
    }
    return List.copyOf(all);
  }

  @Override
  public List<Trial> trials(long seed) {
    return SetRuns.trials(set, contenders(), seed);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    SetRuns runs = SetRuns.of(set, contenders(), outcomes);
    List<FigureTable> tables = new ArrayList<>();
    List<Picture> pictures = new ArrayList<>();
    for (Sweep sweep : List.of(TAU, THRESHOLD, WINDOW)) {
      tables.add(table(sweep, runs));
      pictures.add(picture(sweep, runs));
    }
    Map<String, Comparison> books = new HashMap<>();
    for (Contender one : List.of(Contender.GIFT, HARDLY_REDEEMED, MUCH_THROTTLED)) {
      books.put(one.name(), runs.of(one));
    }
    pictures.add(Books.coupons("figure-12a", "Figure 12(a): coupons issued so far", books));
    pictures.add(Books.owed("figure-12b", "Figure 12(b): node-hours owed, over time", books));
    return new Chapter(
        "Figures 11, 12: " + set.inWords() + ", other parameters",
        "One parameter at a time; the others are as they are by default (tau 0.8, threshold 0.1,"
            + " window 250).",
        List.of(
            better(runs),
            rises(runs),
            flat("11.3", "the window does not impact I/O time", WINDOW, NO_IMPACT_POINTS, runs),
            flat("11.4", "tau needs no tuning", TAU, TUNING_POINTS, runs),
            slower(runs),
            sooner(runs),
            grows(runs),
            samples(runs),
            owed(runs),
            owedOfGain(runs)),
        tables,
        pictures);
  }

  private static Claim better(SetRuns runs) {
    double[] times = runs.all().values().stream().mapToDouble(Comparison::ioTime).toArray();
    double[] bandwidths =
        runs.all().values().stream().mapToDouble(Comparison::effectiveBandwidth).toArray();
    return new Claim(
        "11.1",
        "I/O time and effective bandwidth are better than under POFS for all parameters",
        List.of(
            Figure.of("I/O time, worst", highest(times), Notation.CHANGE),
            Figure.of("I/O time, best", -highest(negated(times)), Notation.CHANGE),
            Figure.of("effective bandwidth, worst", -highest(negated(bandwidths)), Notation.CHANGE),
            Figure.of("effective bandwidth, best", highest(bandwidths), Notation.CHANGE)),
        all(less("I/O time, worst", 0), more("effective bandwidth, worst", 0)));
  }

  private static double highest(double[] values) {
    return Arrays.stream(values).max().orElse(Double.NaN);
  }

  private static double[] negated(double[] values) {
    return Arrays.stream(values).map(value -> -value).toArray();
  }

  /** What the last value of a parameter has beyond the first. */
  private static double difference(
      Sweep sweep, SetRuns runs, ToDoubleFunction<Comparison> measure) {
    List<Contender> values = sweep.contenders();
    return measure.applyAsDouble(runs.of(values.getLast()))
        - measure.applyAsDouble(runs.of(values.getFirst()));
  }

  private static Claim rises(SetRuns runs) {
    List<Contender> values = THRESHOLD.contenders();
    double least = runs.of(values.getFirst()).effectiveBandwidth();
    double[] higher =
        values.stream().skip(1).mapToDouble(one -> runs.of(one).effectiveBandwidth()).toArray();
    String figure = "best of higher thresholds beyond 0.05";
    return new Claim(
            "11.2",
            "a higher threshold gives more effective bandwidth, by as much as 5 points",
            List.of(Figure.of(figure, highest(higher) - least, Notation.POINTS)),
            atLeast(figure, 5))
        .orWeaker(atLeast(figure, 2.5))
        .because(
            "most of what is gained here is gained by filling gaps, which needs no throttling, so"
                + " that it matters less how much of it is allowed");
  }

  private static Claim slower(SetRuns runs) {
    String figure = "I/O time, threshold 0.8 beyond 0.05";
    return new Claim(
            "11.5",
            "a higher threshold takes 2 points of the gain in I/O time away",
            List.of(
                Figure.of(
                    figure, difference(THRESHOLD, runs, Comparison::ioTime), Notation.POINTS)),
            near(figure, 2, 1))
        .orWeaker(more(figure, 0))
        .because(
            "whoever is throttled more here is owed more, and gets it back in gaps that were empty"
                + " anyway; I/O time goes with the bandwidth");
  }

  private static Claim grows(SetRuns runs) {
    String figure = "effective bandwidth, window 4000 beyond 50";
    return new Claim(
            "11.7",
            "a longer window gives slightly more effective bandwidth",
            List.of(
                Figure.of(
                    figure,
                    difference(WINDOW, runs, Comparison::effectiveBandwidth),
                    Notation.POINTS)),
            more(figure, 0))
        .because(CHANCE);
  }

  private static Claim sooner(SetRuns runs) {
    String figure = "I/O time, tau 0.95 beyond 0.1";
    return new Claim(
            "11.6",
            "with a higher tau I/O time is slightly better",
            List.of(Figure.of(figure, difference(TAU, runs, Comparison::ioTime), Notation.POINTS)),
            less(figure, 0))
        .because(
            "a higher tau lets fewer be throttled, and here throttling gains a little also in I/O"
                + " time, so that less of it gains less");
  }

  private static Claim flat(String id, String words, Sweep sweep, double points, SetRuns runs) {
    double[] times =
        sweep.contenders().stream().mapToDouble(one -> runs.of(one).ioTime()).toArray();
    String figure = "I/O time, worst beyond best";
    return new Claim(
            id,
            words,
            List.of(Figure.of(figure, highest(times) + highest(negated(times)), Notation.POINTS)),
            atMost(figure, points))
        .because(CHANCE);
  }

  private static Claim samples(SetRuns runs) {
    List<Figure> figures = new ArrayList<>();
    List<String> parts = new ArrayList<>();
    for (Contender one : List.of(Contender.GIFT, HARDLY_REDEEMED, MUCH_THROTTLED)) {
      Timeline issued = runs.of(one).timeline(GiftFigures.COUPONS_ISSUED);
      double half = issued.value(issued.size() / 2);
      double all = issued.value(issued.size() - 1);
      parts.add(one.name() + ", in the second half");
      figures.add(Figure.of(one.name() + ", coupons", all, Notation.COUNT));
      figures.add(Figure.of(parts.getLast(), (all - half) / all, Notation.PART));
    }
    return new Claim(
        "12.1",
        "samples go on being collected, by default and with extreme parameters",
        figures,
        each(parts, part -> atLeast(part, 33.3)));
  }

  private static double owedNodeHours(SetRuns runs, Contender one) {
    return Books.highest(runs.of(one), GiftFigures.OWED_NODE_SECONDS) / 3_600;
  }

  private static Claim owed(SetRuns runs) {
    return new Claim(
            "12.2a",
            "even with tau = 0.1 less than 20 node-hours are owed at any time",
            List.of(
                Figure.of(
                    "owed with tau = 0.1",
                    owedNodeHours(runs, HARDLY_REDEEMED),
                    Notation.NODE_HOURS),
                Figure.of(
                    "owed by default", owedNodeHours(runs, Contender.GIFT), Notation.NODE_HOURS)),
            less("owed with tau = 0.1", 20))
        .because(
            "our applications have up to 128 nodes and gain several times as many node-hours as"
                + " the paper's 5,800, and owe accordingly; 12.2b holds what is owed against that");
  }

  /** The same as a part of what is gained, which does not depend on how large a machine is. */
  private static Claim owedOfGain(SetRuns runs) {
    double saved = runs.of(HARDLY_REDEEMED).savedNodeHours();
    return new Claim(
            "12.2b",
            "that is 0.34 % of the 5,800 node-hours that are gained",
            List.of(
                Figure.of(
                    "owed of what is gained",
                    owedNodeHours(runs, HARDLY_REDEEMED) / saved,
                    Notation.SMALL_PART),
                Figure.of("gained", saved, Notation.NODE_HOURS)),
            less("owed of what is gained", 100 * 20.0 / 5_800))
        .because(
            "the most that is owed is a matter of one moment in which several large applications"
                + " were throttled, and differs much from seed to seed");
  }

  private static FigureTable table(Sweep sweep, SetRuns runs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < sweep.values().size(); i++) {
      String value = sweep.values().get(i);
      Comparison run = runs.of(sweep.contenders().get(i));
      rows.add(
          List.of(
              new Cell.Words(value),
              Figure.of(value, run.ioTime(), Notation.CHANGE),
              Figure.of(value, run.effectiveBandwidth(), Notation.CHANGE),
              Figure.of(value, run.runTime(), Notation.CHANGE),
              Figure.of(value, run.worse(), Notation.PART)));
    }
    return new FigureTable(
        "GIFT by " + sweep.parameter(),
        List.of(
            sweep.parameter(),
            "I/O time",
            "effective bandwidth",
            "run time",
            "applications worse off"),
        rows);
  }

  private static Picture picture(Sweep sweep, SetRuns runs) {
    double[] times = new double[sweep.values().size()];
    double[] bandwidths = new double[times.length];
    for (int i = 0; i < times.length; i++) {
      Comparison run = runs.of(sweep.contenders().get(i));
      times[i] = -run.ioTime();
      bandwidths[i] = run.effectiveBandwidth();
    }
    String caption = "Figure 11: improvement against pofs by " + sweep.parameter();
    return new Picture(
        "figure-11-" + sweep.parameter(),
        caption,
        new BarChart(
                caption,
                Unit.PERCENT,
                sweep.values(),
                List.of(
                    Series.bars("I/O time", new Colour(0), times),
                    Series.bars("effective bandwidth", new Colour(1), bandwidths)))
            .svg());
  }
}
