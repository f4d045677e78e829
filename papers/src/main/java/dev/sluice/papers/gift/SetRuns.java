package dev.sluice.papers.gift;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The runs of a set of applications under several policies, each compared with POFS. */
final class SetRuns {
  private final Map<String, Comparison> byContender = new LinkedHashMap<>();

  private SetRuns() {}

  /** The set under each of them, and under POFS. */
  static List<Trial> trials(ApplicationSet set, List<Contender> contenders, long seed) {
    Scenario scenario = set.scenario(seed);
    List<Trial> trials = new ArrayList<>();
    trials.add(trial(set, scenario, Contender.POFS));
    for (Contender contender : contenders) {
      if (!contender.equals(Contender.POFS)) {
        trials.add(trial(set, scenario, contender));
      }
    }
    return trials;
  }

  private static Trial trial(ApplicationSet set, Scenario scenario, Contender contender) {
    return new Trial(name(set, contender), scenario, contender.policy(), contender.asInThePaper());
  }

  static String name(ApplicationSet set, Contender contender) {
    return set.inWords() + ", " + contender.name();
  }

  static SetRuns of(ApplicationSet set, List<Contender> contenders, Outcomes outcomes) {
    SetRuns runs = new SetRuns();
    RunResult baseline = outcomes.of(name(set, Contender.POFS));
    for (Contender contender : contenders) {
      RunResult run = outcomes.of(name(set, contender));
      runs.byContender.put(contender.name(), new Comparison(run, baseline));
    }
    return runs;
  }

  Comparison of(Contender contender) {
    Comparison comparison = byContender.get(contender.name());
    if (comparison == null) {
      throw new IllegalArgumentException("no run under " + contender.name());
    }
    return comparison;
  }

  /** All of them, by name. */
  Map<String, Comparison> all() {
    return byContender;
  }

  /** Every policy side by side. */
  FigureTable table() {
    return new FigureTable(
        "Every policy against pofs",
        List.of(
            "policy",
            "I/O time",
            "run time",
            "jobs done",
            "effective bandwidth",
            "use of targets",
            "applications worse off",
            "by",
            "better off by over 20 %"),
        byContender.entrySet().stream()
            .map(entry -> row(entry.getKey(), entry.getValue()))
            .toList());
  }

  private static List<Cell> row(String name, Comparison run) {
    return List.of(
        new Cell.Words(name),
        Figure.of(name, run.ioTime(), Notation.CHANGE),
        Figure.of(name, run.runTime(), Notation.CHANGE),
        Figure.of(name, run.throughput(), Notation.CHANGE),
        Figure.of(name, run.effectiveBandwidth(), Notation.CHANGE),
        Figure.of(name, run.use(), Notation.PART),
        Figure.of(name, run.worse(), Notation.PART),
        Figure.of(name, run.worseBy(), Notation.CHANGE),
        Figure.of(name, run.muchBetter(), Notation.PART));
  }

  /** How much of what GIFT gains filling the gaps alone has. */
  FigureTable partOfMaxMin() {
    Comparison filled = of(Contender.MAXMIN);
    Comparison gift = of(Contender.GIFT);
    return new FigureTable(
        "How much of what GIFT gains there is by filling the gaps alone (maxmin), without"
            + " throttling anybody and without coupons",
        List.of("", "I/O time", "run time", "effective bandwidth"),
        List.of(
            List.of(
                new Cell.Words("maxmin of gift"),
                Figure.of("maxmin", filled.ioTime() / gift.ioTime(), Notation.PART),
                Figure.of("maxmin", filled.runTime() / gift.runTime(), Notation.PART),
                Figure.of(
                    "maxmin",
                    filled.effectiveBandwidth() / gift.effectiveBandwidth(),
                    Notation.PART))));
  }
}
