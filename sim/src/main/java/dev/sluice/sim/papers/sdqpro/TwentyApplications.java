package dev.sluice.sim.papers.sdqpro;

import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Claim;
import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Picture;
import dev.sluice.sim.papers.Trial;
import dev.sluice.sim.report.ReportTable;
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tables II and III, figures 4 and 7: what twenty applications get of what they desire. */
final class TwentyApplications implements Experiment {
  /** Table III. */
  static final double[] PAPER = {0.973650422, 0.92383381, 0.843971722};

  private static final String NAME = "sdqpro";
  private static final long REQUEST_BYTES = 16_000;
  private static final double BORROWING_MIN = 0.97;

  /** A token bucket lets a slot's worth and one request through at once, and no more. */
  private static final double BURST = 1.02;

  /** A request that began before the window counts where it ends. */
  private static final double FULL_TOLERANCE = 1e-3;

  /** Three of the twenty, as in figure 7. */
  private static final int[] THREE = {3, 10, 17};

  @Override
  public List<Trial> trials(long seed) {
    return Servers.trials(NAME, Imbalance.calibrated(seed, PAPER[1]), REQUEST_BYTES, 0);
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    List<Served> results = Servers.served(NAME, outcomes);
    return new Chapter(
        "IV-B Allocated bandwidth",
        "Twenty applications that desire the bandwidths of table II, on ten servers that together"
            + " can just serve them all. How demand is spread over the servers is drawn from a"
            + " normal distribution, whose deviation is the one number that is calibrated: so that"
            + " 92.4 % are served without borrowing. With borrowing nothing is lost but what is"
            + " asked of servers beyond their limit. The paper's traditional servers lose more"
            + " than that, and the paper does not say by what; ours, first come first served,"
            + " are never idle while something waits, and so do as well as with borrowing in all,"
            + " though not for every application.",
        claims(results),
        List.of(table(results)),
        List.of(all(results), three(results)));
  }

  private static List<Claim> claims(List<Served> results) {
    double borrowing = results.get(0).share();
    double none = results.get(1).share();
    double traditional = results.get(2).share();
    double fullest = results.get(0).fullest();
    double most = 0;
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      most = Math.max(most, results.get(0).part(i));
    }
    return List.of(
        new Claim(
            "III.1",
            "with borrowing 97.4 % of what is desired is allocated",
            percent(borrowing) + "; we ask for 97 %",
            borrowing >= BORROWING_MIN),
        new Claim(
            "III.2",
            "without borrowing it is 92.4 %",
            percent(none) + " (calibrated)",
            Math.abs(none - PAPER[1]) < 0.01),
        new Claim(
            "III.3",
            "on traditional servers it is 84.4 %",
            percent(traditional),
            Math.abs(traditional - PAPER[2]) < 0.02),
        new Claim(
            "IV.1",
            "nobody is allocated more than it desires",
            "the most that an application got is " + percent(most) + " of what it desires",
            most <= BURST),
        new Claim(
            "II-A.1",
            "no server serves more than its limit",
            "the fullest server served " + percent(fullest) + " of its limit",
            fullest <= 1 + FULL_TOLERANCE));
  }

  private static ReportTable table(List<Served> results) {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      List<String> row = new ArrayList<>();
      row.add(Servers.application(i));
      row.add(Integer.toString(Desired.of(i)));
      row.add(Integer.toString(Desired.borrowingInThePaper(i)));
      for (Served result : results) {
        row.add(String.format(Locale.ROOT, "%.0f", megabytes(result, i)));
      }
      rows.add(row);
    }
    return new ReportTable(
        "Table II: MB/s by application (a thousandth of it was simulated)",
        List.of(
            "application",
            "desired",
            "borrowing, paper",
            "borrowing",
            "no borrowing",
            "traditional"),
        rows);
  }

  private static double megabytes(Served result, int application) {
    return result.part(application) * Desired.of(application);
  }

  private static Picture all(List<Served> results) {
    int[] every = new int[Desired.APPLICATIONS];
    for (int i = 0; i < every.length; i++) {
      every[i] = i;
    }
    return picture("figure-4", "Bandwidth of every application", every, results);
  }

  private static Picture three(List<Served> results) {
    return picture("figure-7", "Bandwidth of three of the applications", THREE, results);
  }

  private static Picture picture(
      String file, String caption, int[] applications, List<Served> results) {
    List<String> names = new ArrayList<>();
    List<Series> series = new ArrayList<>();
    double[] desired = new double[applications.length];
    for (int k = 0; k < applications.length; k++) {
      names.add(Integer.toString(applications[k] + 1));
      desired[k] = Desired.of(applications[k]) * 1e6;
    }
    series.add(Series.bars("desired", new Colour(0), desired));
    for (int system = 0; system < results.size(); system++) {
      double[] bars = new double[applications.length];
      for (int k = 0; k < bars.length; k++) {
        bars[k] = megabytes(results.get(system), applications[k]) * 1e6;
      }
      series.add(Series.bars(Servers.SYSTEMS.get(system), new Colour(system + 1), bars));
    }
    return new Picture(
        file, caption, new BarChart(caption, Unit.BYTES_PER_SECOND, names, series).svg());
  }

  static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }
}
