package dev.sluice.sim.papers.gift;

import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Picture;
import dev.sluice.sim.papers.Texts;
import dev.sluice.sim.papers.Trial;
import dev.sluice.sim.report.ReportTable;
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
    Comparison fewest = runs.getFirst().of(Contender.GIFT);
    Comparison most = runs.getLast().of(Contender.GIFT);
    return new Chapter(
        "Figure 14: " + sets.getFirst().applications() + " to " + sets.getLast().inWords(),
        "The machine grows with the applications, the 64 targets do not. "
            + runs.getLast().partOfMaxMin(),
        List.of(
            new Claim(
                "14.1",
                "GIFT is better than POFS at every level of contention",
                "I/O time " + all(runs, Comparison::ioTime),
                runs.stream()
                    .map(one -> one.of(Contender.GIFT))
                    .allMatch(run -> run.ioTime() < 0 && run.effectiveBandwidth() > 0)),
            new Claim(
                "14.2",
                "the gain grows with contention",
                "effective bandwidth " + all(runs, Comparison::effectiveBandwidth),
                most.ioTime() < fewest.ioTime()
                    && most.effectiveBandwidth() > fewest.effectiveBandwidth()),
            new Magnitude("14.3", "with most applications: I/O time", -0.16).beside(most.ioTime()),
            new Magnitude("14.4", "effective bandwidth", 0.30).beside(most.effectiveBandwidth()),
            new Magnitude("14.5", "run time", -0.07).beside(most.runTime())),
        List.of(table(runs)),
        List.of(
            picture("figure-14-io-time", "I/O time saved", runs, run -> -run.ioTime()),
            picture(
                "figure-14-bandwidth",
                "effective bandwidth gained",
                runs,
                Comparison::effectiveBandwidth)));
  }

  private String all(List<SetRuns> runs, ToDoubleFunction<Comparison> measure) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      texts.add(
          sets.get(i).applications()
              + ": "
              + Texts.change(measure.applyAsDouble(runs.get(i).of(Contender.GIFT))));
    }
    return String.join(", ", texts);
  }

  private ReportTable table(List<SetRuns> runs) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      for (Contender one : CONTENDERS) {
        Comparison run = runs.get(i).of(one);
        rows.add(
            List.of(
                Integer.toString(sets.get(i).applications()),
                one.name(),
                Texts.change(run.ioTime()),
                Texts.change(run.runTime()),
                Texts.change(run.throughput()),
                Texts.change(run.effectiveBandwidth()),
                Texts.part(run.worse())));
      }
    }
    return new ReportTable(
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
