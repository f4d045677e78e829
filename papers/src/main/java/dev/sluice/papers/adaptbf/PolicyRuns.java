package dev.sluice.papers.adaptbf;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Jitter;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Picture;
import dev.sluice.papers.Trial;
import dev.sluice.sim.report.Samples;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.LineChart;
import dev.sluice.sim.report.svg.Reach;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A scenario's runs under the four policies, and what all experiments show of them. */
final class PolicyRuns {
  /** The policies by name, and what the paper calls them. */
  static final Map<String, String> POLICIES = policies();

  /** Less than this is no gain worth the name. */
  static final double GAIN_PERCENT = 0.5;

  /** The paper says "significant" without a number: so much, as we read it. */
  static final double SIGNIFICANT_PERCENT = 10;

  /** The same of "minimal". */
  static final double LITTLE_PERCENT = 5;

  private static final long STARTS_WITHIN_NANOS = 1_000_000_000L;

  private static final int PICTURE_SAMPLES_MAX = 2_400;
  private static final double NANOS_PER_SECOND = 1e9;

  private final String scenario;
  private final Map<String, RunResult> results = new LinkedHashMap<>();
  private final Map<String, Summary> summaries = new LinkedHashMap<>();

  private PolicyRuns(String scenario) {
    this.scenario = scenario;
  }

  private static Map<String, String> policies() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("none", "No BW");
    names.put("static", "Static BW");
    names.put("adaptbf", "AdapTBF");
    names.put("fair", "fair");
    return names;
  }

  /** The scenario, in which no two processes begin at the very same instant. */
  static Scenario scenario(String name, long seed) {
    return Jitter.ofStarts(BuiltInScenarios.read(name, seed), STARTS_WITHIN_NANOS);
  }

  /** The scenario under each policy. */
  static List<Trial> trials(String scenario, long seed) {
    Scenario read = scenario(scenario, seed);
    return POLICIES.keySet().stream()
        .map(policy -> new Trial(scenario + "-" + policy, read, policy))
        .toList();
  }

  static PolicyRuns of(String scenario, Outcomes outcomes) {
    PolicyRuns runs = new PolicyRuns(scenario);
    for (String policy : POLICIES.keySet()) {
      RunResult result = outcomes.of(scenario + "-" + policy);
      runs.results.put(policy, result);
      runs.summaries.put(policy, Summary.of(result));
    }
    return runs;
  }

  RunResult result(String policy) {
    RunResult result = results.get(policy);
    if (result == null) {
      throw new IllegalArgumentException("no run under " + policy);
    }
    return result;
  }

  private Summary summary(String policy) {
    Summary summary = summaries.get(policy);
    if (summary == null) {
      throw new IllegalArgumentException("no run under " + policy);
    }
    return summary;
  }

  /** Throughput of all jobs together, bytes a second. */
  double total(String policy) {
    return summary(policy).total().bytesPerSecond().orElse(0);
  }

  /** Throughput of one job from its start to its end, bytes a second; jobs count from 1. */
  double job(String policy, int number) {
    return summary(policy).jobs().get(number - 1).bytesPerSecond().orElse(0);
  }

  /** How much more each of some jobs gets than under another policy. */
  List<Figure> gains(String than, int... jobs) {
    List<Figure> gains = new ArrayList<>();
    for (int job : jobs) {
      gains.add(
          Figure.of(
              "job " + job + " against " + POLICIES.get(than),
              job("adaptbf", job) / job(than, job) - 1,
              Notation.CHANGE));
    }
    return gains;
  }

  /** Throughput of all jobs together under each policy, by the policies' names. */
  List<Figure> totals() {
    List<Figure> totals = new ArrayList<>();
    POLICIES.forEach((policy, name) ->
        totals.add(Figure.of(name, total(policy), Notation.MEGABYTES_PER_SECOND)));
    return totals;
  }

  static List<String> names(List<Figure> figures) {
    return figures.stream().map(Figure::name).toList();
  }

  /** When a job ended, in seconds; infinite if it did not. */
  double end(String policy, int number) {
    JobResult job = result(policy).jobs().get(number - 1);
    return job.isDone() ? job.endNanos() / NANOS_PER_SECOND : Double.POSITIVE_INFINITY;
  }

  /** Bytes a second of a job over the samples that lie between two instants. */
  double rate(String policy, int number, double fromSeconds, double toSeconds) {
    Timeline served = result(policy).jobs().get(number - 1).served();
    double width = served.widthNanos() / NANOS_PER_SECOND;
    double sum = 0;
    int first = (int) Math.ceil(fromSeconds / width);
    int end = (int) Math.floor(toSeconds / width);
    for (int i = first; i < end; i++) {
      sum += served.value(i);
    }
    return sum / ((end - first) * width);
  }

  int jobs() {
    return result("none").jobs().size();
  }

  /** Throughput per job and in all, one bar for each policy. */
  Picture bars() {
    return picture("bars", "Throughput per job and of all", Unit.BYTES_PER_SECOND, this::row);
  }

  /** What each job gains or loses against No BW and Static BW. */
  Picture gains() {
    List<String> categories = categories();
    List<Series> series = new ArrayList<>();
    int colour = 0;
    for (String than : List.of("none", "static")) {
      double[] values = new double[categories.size()];
      double[] ours = row("adaptbf");
      double[] theirs = row(than);
      for (int i = 0; i < values.length; i++) {
        values[i] = ours[i] / theirs[i] - 1;
      }
      series.add(Series.bars("against " + POLICIES.get(than), new Colour(colour++), values));
    }
    String caption = "Gain or loss of throughput under AdapTBF";
    return new Picture(
        scenario + "-gains",
        caption,
        new BarChart(caption, Unit.PERCENT, categories, series).svg());
  }

  private interface Row {
    double[] of(String policy);
  }

  private Picture picture(String name, String caption, Unit unit, Row row) {
    List<Series> series = new ArrayList<>();
    for (Map.Entry<String, String> policy : POLICIES.entrySet()) {
      series.add(
          Series.bars(policy.getValue(), new Colour(series.size()), row.of(policy.getKey())));
    }
    return new Picture(
        scenario + "-" + name, caption, new BarChart(caption, unit, categories(), series).svg());
  }

  private double[] row(String policy) {
    double[] values = new double[jobs() + 1];
    for (int i = 0; i < jobs(); i++) {
      values[i] = job(policy, i + 1);
    }
    values[jobs()] = total(policy);
    return values;
  }

  private List<String> categories() {
    List<String> categories = new ArrayList<>();
    result("none").jobs().forEach(job -> categories.add(job.id().toString()));
    categories.add("all");
    return categories;
  }

  /** Throughput of each job over time, a picture for each policy, all to the same scale. */
  List<Picture> timelines() {
    List<Picture> pictures = new ArrayList<>();
    double endSeconds =
        results.values().stream().mapToLong(RunResult::endNanos).max().orElse(0) / NANOS_PER_SECOND;
    List<List<Series>> all = new ArrayList<>();
    double highest = 0;
    for (String policy : POLICIES.keySet()) {
      List<Series> series = new ArrayList<>();
      RunResult run = result(policy);
      Samples samples = samples(run);
      for (JobResult job : run.jobs()) {
        series.add(
            Series.of(
                job.id().toString(),
                new Colour(series.size()),
                samples.middles(),
                samples.drawnRates(job.served())));
        highest = Math.max(highest, series.getLast().highest());
      }
      all.add(series);
    }
    int index = 0;
    for (Map.Entry<String, String> policy : POLICIES.entrySet()) {
      String caption = "Throughput per job over time, " + policy.getValue();
      LineChart chart =
          new LineChart(
              caption,
              "time",
              Unit.SECONDS,
              Unit.BYTES_PER_SECOND,
              all.get(index++),
              new Reach(endSeconds, highest));
      pictures.add(new Picture(scenario + "-timeline-" + policy.getKey(), caption, chart.svg()));
    }
    return pictures;
  }

  /** A figure that the policy gave for each job, over time, under AdapTBF. */
  Picture figure(String name, String caption) {
    RunResult run = result("adaptbf");
    Samples samples = samples(run);
    List<Series> series = new ArrayList<>();
    for (JobResult job : run.jobs()) {
      series.add(
          Series.of(
              job.id().toString(),
              new Colour(series.size()),
              samples.middles(),
              samples.levels(figure(job, name))));
    }
    return new Picture(
        scenario + "-" + name,
        caption,
        new LineChart(caption, "time", Unit.SECONDS, Unit.TOKENS, series).svg());
  }

  static Timeline figure(JobResult job, String name) {
    Timeline timeline = job.figures().get(name);
    if (timeline == null) {
      throw new IllegalStateException("no " + name + " was recorded for job " + job.id());
    }
    return timeline;
  }

  private static Samples samples(RunResult run) {
    long width = run.jobs().getFirst().served().widthNanos();
    return Samples.until(run.endNanos(), width, PICTURE_SAMPLES_MAX);
  }

  /** Throughput and completion of each job under each policy. */
  List<FigureTable> tables() {
    List<List<Cell>> throughputs = new ArrayList<>();
    List<List<Cell>> ends = new ArrayList<>();
    POLICIES.forEach((policy, name) -> {
      List<Cell> throughput = new ArrayList<>(List.of(new Cell.Words(name)));
      List<Cell> end = new ArrayList<>(List.of(new Cell.Words(name)));
      for (int i = 1; i <= jobs(); i++) {
        throughput.add(Figure.of("", job(policy, i), Notation.MEGABYTES_PER_SECOND));
        end.add(Figure.of("", end(policy, i), Notation.SECONDS));
      }
      throughput.add(Figure.of("", total(policy), Notation.MEGABYTES_PER_SECOND));
      throughputs.add(throughput);
      ends.add(end);
    });
    List<String> columns = new ArrayList<>(List.of("policy"));
    columns.addAll(categories());
    return List.of(
        new FigureTable("Throughput from start to end", columns, throughputs),
        new FigureTable("When each job had ended", columns.subList(0, columns.size() - 1), ends));
  }
}
