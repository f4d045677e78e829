package dev.sluice.papers.sdqpro;

import static dev.sluice.papers.Condition.atLeast;
import static dev.sluice.papers.Condition.atMost;
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
import dev.sluice.sim.report.svg.BarChart;
import dev.sluice.sim.report.svg.Colour;
import dev.sluice.sim.report.svg.Series;
import dev.sluice.sim.report.svg.Unit;
import java.util.ArrayList;
import java.util.List;

/** Tables II and III, figures 4 and 7: what twenty applications get of what they desire. */
final class TwentyApplications implements Experiment {
  /** Table III, without borrowing. */
  static final double WITHOUT_BORROWING = 0.92383381;

  private static final String NAME = "sdqpro";
  static final long REQUEST_BYTES = 16_000;

  private static final String NEVER_IDLE =
      "our traditional servers serve in order of arrival and are never idle while something waits,"
          + " so that no way to hand out tokens can serve more in all; the paper does not say what"
          + " its own lose time by";

  /** Three of the twenty, as in figure 7. */
  private static final int[] THREE = {3, 10, 17};

  @Override
  public List<Trial> trials(long seed) {
    return Servers.trials(NAME, Imbalance.calibrated(seed, WITHOUT_BORROWING), REQUEST_BYTES, 0);
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
            + " are never idle while something waits, and so do at least as well in all.",
        claims(results),
        List.of(table(results)),
        List.of(all(results), three(results)));
  }

  private static List<Claim> claims(List<Served> results) {
    List<Figure> shares = new ArrayList<>();
    for (int system = 0; system < results.size(); system++) {
      shares.add(
          Figure.of(Servers.SYSTEMS.get(system), results.get(system).share(), Notation.PART));
    }
    double most = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      most = Math.max(most, results.getFirst().part(i));
      least = Math.min(least, results.getFirst().part(i));
    }
    return List.of(
        Shares.close(
            "III.1", "with borrowing 97.4 % of what is desired is allocated", shares.get(0), 97.4),
        Shares.close("III.2", "without borrowing it is 92.4 %", shares.get(1), 92.4)
            .calibrated(
                "the paper does not give how unevenly demand lies; ours is drawn so that this comes"
                    + " out"),
        Shares.close("III.3", "on traditional servers it is 84.4 %", shares.get(2), 84.4)
            .because(NEVER_IDLE),
        new Claim(
                "III.4",
                "borrowing allocates the most and traditional servers the least",
                shares,
                rising("traditional", "no borrowing", "borrowing"))
            .because(NEVER_IDLE),
        new Claim(
            "II.1",
            "with borrowing every application gets close to what it desires: 94.4 % at least",
            List.of(Figure.of("least with borrowing", least, Notation.PART)),
            atLeast("least with borrowing", 94.4)),
        new Claim(
                "IV.1",
                "nobody is allocated more than it desires",
                List.of(Figure.of("most with borrowing", most, Notation.PART)),
                atMost("most with borrowing", 100.5))
            .byConstruction("nobody asks for more than it desires here"),
        new Claim(
                "II-A.1",
                "no server serves more than its limit",
                List.of(Figure.of("fullest server", results.getFirst().fullest(), Notation.PART)),
                atMost("fullest server", 100.1))
            .byConstruction("a simulated server takes as long for a byte as its limit says"));
  }

  private static FigureTable table(List<Served> results) {
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < Desired.APPLICATIONS; i++) {
      List<Cell> row = new ArrayList<>();
      row.add(new Cell.Words(Servers.application(i)));
      row.add(new Cell.Words(Integer.toString(Desired.of(i))));
      row.add(new Cell.Words(Integer.toString(Desired.borrowingInThePaper(i))));
      for (Served result : results) {
        row.add(Figure.of("MB/s", megabytes(result, i), Notation.COUNT));
      }
      rows.add(row);
    }
    return new FigureTable(
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
}
