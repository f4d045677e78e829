package dev.sluice.sim.papers.gift;

import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Texts;
import dev.sluice.sim.papers.Trial;
import dev.sluice.sim.report.ReportTable;
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
    return new Trial(name(set, contender), scenario, contender.policy(), contender.settings());
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
  ReportTable table() {
    return new ReportTable(
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

  private static List<String> row(String name, Comparison run) {
    return List.of(
        name,
        Texts.change(run.ioTime()),
        Texts.change(run.runTime()),
        Texts.change(run.throughput()),
        Texts.change(run.effectiveBandwidth()),
        Texts.part(run.use()),
        Texts.part(run.worse()),
        Texts.change(run.worseBy()),
        Texts.part(run.muchBetter()));
  }

  /** How much of what GIFT gains filling the gaps alone has. */
  String partOfMaxMin() {
    Comparison filled = of(Contender.MAXMIN);
    Comparison gift = of(Contender.GIFT);
    return "Filling the gaps alone (maxmin), without throttling anybody and without coupons, has "
        + whole(filled.ioTime() / gift.ioTime())
        + " of GIFT's gain in I/O time, "
        + whole(filled.runTime() / gift.runTime())
        + " of that in run time and "
        + whole(filled.effectiveBandwidth() / gift.effectiveBandwidth())
        + " of that in effective bandwidth.";
  }

  private static String whole(double part) {
    return Math.round(100 * part) + " %";
  }
}
