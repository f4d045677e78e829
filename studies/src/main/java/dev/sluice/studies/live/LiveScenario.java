package dev.sluice.studies.live;

import static dev.sluice.papers.Condition.near;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Figure;
import dev.sluice.papers.FigureTable;
import dev.sluice.papers.Notation;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import dev.sluice.papers.padll.LoadCurve;
import dev.sluice.papers.padll.Setup;
import dev.sluice.papers.padll.TestScenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** One of PADLL's three scenarios with real programs, under all five set-ups. */
final class LiveScenario implements Experiment {
  /** A machine that does other things too is not exact. */
  private static final double CLOSE_MINUTES = 3;

  private final TestScenario scenario;
  private final LivePace pace;
  private final Path place;
  private final BooleanSupplier stopped;
  private final Progress progress;

  /** Hears how far it is. */
  interface Progress {
    /** So many minutes of a set-up have passed, and are not over yet. */
    void at(TestScenario scenario, Setup setup, double minutes);
  }

  LiveScenario(
      TestScenario scenario,
      LivePace pace,
      Path place,
      BooleanSupplier stopped,
      Progress progress) {
    this.scenario = scenario;
    this.pace = pace;
    this.place = place;
    this.stopped = stopped;
    this.progress = progress;
  }

  @Override
  public List<Trial> trials(long seed) {
    return List.of();
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    LoadCurve curve = LoadCurve.drawn(outcomes.seed());
    Map<Setup, LivePlay.Result> results = new LinkedHashMap<>();
    for (Setup setup : Setup.values()) {
      try {
        LivePlay play =
            new LivePlay(
                scenario,
                setup,
                curve,
                pace,
                place,
                stopped,
                minutes -> progress.at(scenario, setup, minutes));
        results.put(setup, play.play());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new Chapter(
        "V-C Test scenario #" + scenario.number() + ", live",
        LiveText.pace(pace)
            + " The load is the one of the simulation, which says why 78 minutes cannot be had.",
        claims(results),
        List.of(table(results)),
        List.of());
  }

  private List<Claim> claims(Map<Setup, LivePlay.Result> results) {
    List<Claim> claims = new ArrayList<>();
    results.forEach((setup, result) -> {
      int paper = scenario.paperMinutes(setup);
      claims.add(
          new Claim(
                  id(claims),
                  setup.title() + " takes " + paper + " minutes",
                  List.of(Figure.of(setup.title(), result.minutes(), Notation.MINUTES)),
                  near(setup.title(), paper, CLOSE_MINUTES))
              .because(
                  "the load is the one of the simulation, whose results say what it is chosen by"
                      + " and what it cannot give"));
    });
    claims.add(LiveText.maximumHolds(id(claims), limited(results)));
    claims.add(LiveText.allIsDone(id(claims), results.values()));
    return claims;
  }

  private static List<LivePlay.Result> limited(Map<Setup, LivePlay.Result> results) {
    return results.entrySet().stream()
        .filter(entry -> entry.getKey() != Setup.BASELINE)
        .map(Map.Entry::getValue)
        .toList();
  }

  private String id(List<Claim> before) {
    return "live#" + scenario.number() + "." + (before.size() + 1);
  }

  private FigureTable table(Map<Setup, LivePlay.Result> results) {
    List<List<Cell>> rows = new ArrayList<>();
    results.forEach((setup, result) ->
        rows.add(
            LiveText.row(setup.title(), Integer.toString(scenario.paperMinutes(setup)), result)));
    return LiveText.table(rows);
  }
}
