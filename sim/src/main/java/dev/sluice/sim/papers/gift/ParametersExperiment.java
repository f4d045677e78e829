package dev.sluice.sim.papers.gift;

import dev.sluice.core.policy.gift.GiftFigures;
import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Picture;
import dev.sluice.sim.papers.Texts;
import dev.sluice.sim.papers.Trial;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Figures 11 and 12: GIFT with other parameters. */
final class ParametersExperiment implements Experiment {
  private static final Sweep TAU = new Sweep("tau", "0.8", List.of("0.1", "0.5", "0.8", "0.95"));
  private static final Sweep THRESHOLD =
      new Sweep("threshold", "0.1", List.of("0.05", "0.1", "0.2", "0.4", "0.8"));
  private static final Sweep WINDOW =
      new Sweep("window", "250", List.of("50", "250", "1000", "4000"));

  private static final Contender HARDLY_REDEEMED = Contender.gift("tau", "0.1");
  private static final Contender MUCH_THROTTLED = Contender.gift("threshold", "0.8");

  /** Of what does not depend on a parameter, a point or two are noise. */
  private static final double NOISE = 0.02;

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
    List<ReportTable> tables = new ArrayList<>();
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
            new Claim(
                "11.1",
                "I/O time and effective bandwidth are better than under POFS for all parameters",
                "I/O time "
                    + range(runs.all().values().stream().map(Comparison::ioTime).toList())
                    + ", effective bandwidth "
                    + range(
                        runs.all().values().stream().map(Comparison::effectiveBandwidth).toList()),
                runs.all().values().stream()
                    .allMatch(run -> run.ioTime() < 0 && run.effectiveBandwidth() > 0)),
            rises(runs),
            flat("11.3", "the window hardly matters", WINDOW, runs),
            flat("11.4", "tau hardly matters", TAU, runs),
            samples(runs),
            owed(runs)),
        tables,
        pictures);
  }

  private static Claim samples(SetRuns runs) {
    List<String> ours = new ArrayList<>();
    boolean holds = true;
    for (Contender one : List.of(Contender.GIFT, HARDLY_REDEEMED, MUCH_THROTTLED)) {
      Timeline issued = runs.of(one).timeline(GiftFigures.COUPONS_ISSUED);
      double half = issued.value(issued.size() / 2);
      double all = issued.value(issued.size() - 1);
      ours.add(String.format(Locale.ROOT, "%s %,.0f and %,.0f", one.name(), half, all));
      holds &= half > 0 && all > 1.5 * half;
    }
    return new Claim(
        "12.1",
        "samples go on being collected, by default and with extreme parameters",
        "coupons after half of the time and in all: " + String.join("; ", ours),
        holds);
  }

  private static Claim owed(SetRuns runs) {
    double byDefault =
        Books.highest(runs.of(Contender.GIFT), GiftFigures.OWED_NODE_SECONDS) / 3_600;
    double pessimistic =
        Books.highest(runs.of(HARDLY_REDEEMED), GiftFigures.OWED_NODE_SECONDS) / 3_600;
    double saved = runs.of(HARDLY_REDEEMED).savedNodeHours();
    return new Claim(
        "12.2",
        "even with tau = 0.1 less than 20 node-hours are owed at any time, of 5,800 gained",
        String.format(
            Locale.ROOT,
            "at most %.1f with tau = 0.1, %.1f by default; %,.0f gained",
            pessimistic,
            byDefault,
            saved),
        pessimistic / saved < 20.0 / 5_800);
  }

  private static String range(List<Double> values) {
    double least = values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return Texts.change(least) + " to " + Texts.change(most);
  }

  private static Claim rises(SetRuns runs) {
    List<Contender> values = THRESHOLD.contenders();
    double least = runs.of(values.getFirst()).effectiveBandwidth();
    double most = runs.of(values.getLast()).effectiveBandwidth();
    return new Claim(
        "11.2",
        "a higher threshold gives more effective bandwidth, by up to 5 points",
        "threshold "
            + THRESHOLD.values().getFirst()
            + ": "
            + Texts.change(least)
            + ", "
            + THRESHOLD.values().getLast()
            + ": "
            + Texts.change(most),
        most > least);
  }

  private static Claim flat(String id, String words, Sweep sweep, SetRuns runs) {
    List<Double> times = sweep.contenders().stream().map(one -> runs.of(one).ioTime()).toList();
    double least = times.stream().mapToDouble(Double::doubleValue).min().orElse(0);
    double most = times.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    return new Claim(id, words, "I/O time " + range(times), most - least <= 2 * NOISE);
  }

  private static ReportTable table(Sweep sweep, SetRuns runs) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < sweep.values().size(); i++) {
      Comparison run = runs.of(sweep.contenders().get(i));
      rows.add(
          List.of(
              sweep.values().get(i),
              Texts.change(run.ioTime()),
              Texts.change(run.effectiveBandwidth()),
              Texts.change(run.runTime()),
              Texts.part(run.worse())));
    }
    return new ReportTable(
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
