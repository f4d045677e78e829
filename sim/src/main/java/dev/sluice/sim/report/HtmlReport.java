package dev.sluice.sim.report;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Reach;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.StackedChart;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/** A report as one page with pictures. */
public final class HtmlReport {
  /** Points of all lines of a picture together: what bounds the page. */
  private static final int POINTS_MAX = 6_000;

  private static final int POINTS_OF_ONE_LINE_MAX = 500;

  /** Figures worth a picture, if a policy has them; the others are in figures.csv. */
  private static final List<String> PICTURED_FIGURES = List.of("demand", "allocated", "record");

  private final Report report;
  private final Comparison comparison;
  private final List<JobId> jobs;
  private final List<String> policies;

  private HtmlReport(Report report) {
    this.report = report;
    this.comparison = new Comparison(report);
    this.jobs = report.shown().jobs();
    this.policies = report.runs().stream().map(Report.Run::policy).toList();
  }

  public static String text(Report report) {
    return new HtmlReport(report).page().html();
  }

  private HtmlPage page() {
    Report.Origin origin = report.origin();
    HtmlPage page = new HtmlPage(origin.name());
    HtmlPage.Section comparisonSection = page.section("Comparison");
    if (!origin.description().isBlank()) {
      comparisonSection.paragraph(origin.description());
    }
    comparisonSection.table(comparison.policies());
    throughputBars(comparisonSection);
    if (report.countsBytes()) {
      throughputOverTime(page.section("Throughput over time"));
    }
    page.section("Jobs").table(comparison.jobs());
    policyFigures(page);
    targets(page.section("Targets"));
    if (!comparison.latencies().rows().isEmpty()) {
      page.section("Latency").table(comparison.latencies());
    }
    repeat(page.section("How to repeat this"));
    page.section("What the words mean").definitions(Definitions.all());
    return page;
  }

  private Unit throughputUnit() {
    return report.countsBytes() ? Unit.BYTES_PER_SECOND : Unit.OPERATIONS_PER_SECOND;
  }

  private void throughputBars(HtmlPage.Section section) {
    List<Series> total =
        List.of(
            Series.bars(
                "all jobs",
                Colour.NEUTRAL,
                overRuns(0, run -> value(comparison.totalThroughput(run)))));
    List<String> pictures = new ArrayList<>();
    pictures.add(
        new BarChart("Throughput of all jobs together", throughputUnit(), policies, total).svg());
    pictures.add(
        new BarChart(
                "Throughput of each job",
                throughputUnit(),
                policies,
                perJob(0, run -> id -> value(comparison.throughput(id, run))))
            .svg());
    if (policies.size() > 1) {
      List<Series> changes =
          new ArrayList<>(perJob(1, run -> id -> value(comparison.change(id, run))));
      changes.add(
          Series.bars(
              "all jobs", Colour.NEUTRAL, overRuns(1, run -> value(comparison.totalChange(run)))));
      pictures.add(
          new BarChart(
                  "Throughput gained and lost against " + policies.getFirst(),
                  Unit.PERCENT,
                  policies.subList(1, policies.size()),
                  changes)
              .svg());
    }
    if (report.runs().stream()
        .anyMatch(run -> run.summary().total().meanIoSlowdown().isPresent())) {
      pictures.add(
          new BarChart("I/O slowdown of each job", Unit.NUMBER, policies, slowdowns()).svg());
    }
    section.figures(pictures);
  }

  private List<Series> slowdowns() {
    List<Map<JobId, Summary.Job>> byRun = comparison.jobsByRun();
    return perJob(
        0,
        run ->
            id -> {
              Summary.Job job = byRun.get(run).get(id);
              return job == null ? Double.NaN : value(job.ioSlowdown());
            });
  }

  private List<Series> perJob(int firstRun, IntFunction<ToDoubleFunction<JobId>> values) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      JobId id = jobs.get(i);
      series.add(
          Series.bars(
              id.toString(),
              report.shown().colour(i),
              overRuns(firstRun, run -> values.apply(run).applyAsDouble(id))));
    }
    return series;
  }

  private double[] overRuns(int firstRun, IntFunction<Double> value) {
    double[] values = new double[policies.size() - firstRun];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(firstRun + i);
    }
    return values;
  }

  private static double value(OptionalDouble measure) {
    return measure.orElse(Double.NaN);
  }

  private void throughputOverTime(HtmlPage.Section section) {
    List<List<Series>> byRun = report.runs().stream().map(this::rates).toList();
    // The sum of thousands would press the lines of single jobs to the ground.
    List<List<Series>> singleByRun =
        byRun.stream()
            .map(series -> series.subList(0, Math.min(series.size(), jobs.size())))
            .toList();
    double highestLine =
        singleByRun.stream().flatMap(List::stream).mapToDouble(Series::highest).max().orElse(0);
    double highestSum = byRun.stream().mapToDouble(StackedChart::highestSum).max().orElse(0);
    for (int i = 0; i < policies.size(); i++) {
      section.figures(
          List.of(
              new LineChart(
                      policies.get(i) + ": throughput of each job",
                      "time",
                      Unit.SECONDS,
                      Unit.BYTES_PER_SECOND,
                      singleByRun.get(i),
                      new Reach(furthest(), highestLine))
                  .svg(),
              new StackedChart(
                      policies.get(i) + ": throughput of all jobs, stacked",
                      "time",
                      Unit.SECONDS,
                      Unit.BYTES_PER_SECOND,
                      byRun.get(i),
                      new Reach(furthest(), highestSum))
                  .svg()));
    }
  }

  /** When the longest run ended, in seconds: where all axes of time end. */
  private double furthest() {
    return report.runs().stream().mapToLong(run -> run.result().endNanos()).max().orElse(0) / 1e9;
  }

  private List<Series> rates(Report.Run run) {
    Samples samples = Timelines.samples(run, pointsFor(jobs.size() + 1));
    double[] middles = samples.middles();
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      JobResult job = run.job(jobs.get(i));
      if (job != null) {
        series.add(
            Series.of(
                job.id().toString(),
                report.shown().colour(i),
                middles,
                samples.drawnRates(job.served())));
      }
    }
    if (report.shown().others() > 0) {
      series.add(
          Series.of(
              report.shown().otherName(),
              Colour.NEUTRAL,
              middles,
              Timelines.otherRates(report, run, samples)));
    }
    return series;
  }

  private static int pointsFor(int lines) {
    return Math.min(POINTS_OF_ONE_LINE_MAX, POINTS_MAX / Math.max(1, lines));
  }

  private void policyFigures(HtmlPage page) {
    List<List<String>> byRun = report.runs().stream().map(this::figurePictures).toList();
    if (byRun.stream().allMatch(List::isEmpty)) {
      return;
    }
    HtmlPage.Section section =
        page.section("What the policies saw and decided")
            .paragraph(
                "Tokens per decision, summed over targets. A record above zero is what a job has"
                    + " lent to others, below zero what it has borrowed.");
    byRun.stream().filter(pictures -> !pictures.isEmpty()).forEach(section::figures);
  }

  private List<String> figurePictures(Report.Run run) {
    List<String> pictures = new ArrayList<>();
    for (String figure : PICTURED_FIGURES) {
      List<Series> series = figure(run, figure);
      if (!series.isEmpty()) {
        pictures.add(
            new LineChart(
                    run.policy() + ": " + figure + " of each job",
                    "time",
                    Unit.SECONDS,
                    Unit.TOKENS,
                    series,
                    new Reach(furthest(), 0))
                .svg());
      }
    }
    return pictures;
  }

  private List<Series> figure(Report.Run run, String figure) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      JobResult job = run.job(jobs.get(i));
      Timeline timeline = job == null ? null : job.figures().get(figure);
      if (timeline != null && timeline.size() > 0) {
        Samples samples =
            Samples.until(
                Math.max(1, run.result().endNanos()),
                timeline.widthNanos(),
                pointsFor(jobs.size()));
        series.add(
            Series.of(
                jobs.get(i).toString(),
                report.shown().colour(i),
                samples.middles(),
                samples.levels(timeline)));
      }
    }
    return series;
  }

  private void targets(HtmlPage.Section section) {
    List<Summary.TargetUse> uses = report.first().summary().targets();
    int shown = Math.min(uses.size(), Comparison.TARGETS_MAX);
    List<Series> utilisation = new ArrayList<>();
    for (int i = 0; i < shown; i++) {
      int target = i;
      utilisation.add(
          Series.bars(
              uses.get(i).name(),
              shown == 1 ? Colour.NEUTRAL : new Colour(i),
              overRuns(
                  0,
                  run ->
                      value(
                          report.runs().get(run).summary().targets().get(target).utilisation()))));
    }
    List<String> pictures = new ArrayList<>();
    pictures.add(
        new BarChart("Utilisation of each target", Unit.PERCENT, policies, utilisation).svg());
    List<List<Series>> queues = report.runs().stream().map(run -> queues(run, shown)).toList();
    double highest =
        queues.stream().flatMap(List::stream).mapToDouble(Series::highest).max().orElse(0);
    for (int i = 0; i < policies.size(); i++) {
      if (!queues.get(i).isEmpty()) {
        pictures.add(
            new LineChart(
                    policies.get(i) + ": requests queued at each target",
                    "time",
                    Unit.SECONDS,
                    Unit.REQUESTS,
                    queues.get(i),
                    new Reach(furthest(), highest))
                .svg());
      }
    }
    section.figures(pictures).table(comparison.targets());
  }

  private static List<Series> queues(Report.Run run, int shown) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < shown; i++) {
      TargetResult target = run.result().targets().get(i);
      if (target.queued().size() == 0) {
        continue;
      }
      Samples samples =
          Samples.until(
              Math.max(1, run.result().endNanos()), target.queued().widthNanos(), pointsFor(shown));
      series.add(
          Series.of(
              target.name(),
              shown == 1 ? Colour.NEUTRAL : new Colour(i),
              samples.middles(),
              samples.levels(target.queued())));
    }
    return series;
  }

  private void repeat(HtmlPage.Section section) {
    Report.Origin origin = report.origin();
    section.command(origin.command());
    section.paragraph(
        "Seed "
            + origin.seed()
            + "; scenario file SHA-256 "
            + origin.scenarioHash()
            + ". The same version of Sluice, seed and scenario give this page again, byte for"
            + " byte. Figures are in result.json and in the CSV files beside it.");
  }
}
