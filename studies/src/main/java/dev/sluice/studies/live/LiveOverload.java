package dev.sluice.studies.live;

import dev.sluice.papers.Cell;
import dev.sluice.papers.Chapter;
import dev.sluice.papers.Claim;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Outcomes;
import dev.sluice.papers.Trial;
import dev.sluice.papers.padll.LoadCurve;
import dev.sluice.papers.padll.Setup;
import dev.sluice.papers.padll.TestScenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Scenario 1 with twice the load, which is more than Max_R from the second job on: where the
 * maximum is what holds everybody back, it shows whether it is kept.
 */
final class LiveOverload implements Experiment {
  private static final double LOAD = 2;

  private final LivePace pace;
  private final Path place;
  private final BooleanSupplier stopped;

  LiveOverload(LivePace pace, Path place, BooleanSupplier stopped) {
    this.pace = pace;
    this.place = place;
    this.stopped = stopped;
  }

  static TestScenario scenario() {
    return TestScenario.TABLE_I.getFirst().withLoad(LOAD);
  }

  @Override
  public List<Trial> trials(long seed) {
    return List.of();
  }

  @Override
  public Chapter conclude(Outcomes outcomes) {
    LoadCurve curve = LoadCurve.drawn(outcomes.seed());
    List<LivePlay.Result> results = new ArrayList<>();
    List<List<Cell>> rows = new ArrayList<>();
    for (Setup setup : List.of(Setup.PROPORTIONAL, Setup.PSFA)) {
      try {
        LivePlay.Result result =
            new LivePlay(scenario(), setup, curve, pace, place, stopped, _ -> {}).play();
        results.add(result);
        rows.add(LiveText.row(setup.title(), "", result));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    List<Claim> claims =
        List.of(
            LiveText.maximumHolds("live#overload.1", results),
            LiveText.allIsDone("live#overload.2", results));
    return new Chapter(
        "Overload, live",
        LiveText.pace(pace)
            + " The load is that of scenario 1 twice over, so that jobs always want more than there"
            + " is. The paper has no such experiment; here Max_R is what holds all of them back.",
        claims,
        List.of(LiveText.table(rows)),
        List.of());
  }
}
