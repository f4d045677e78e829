package dev.sluice.studies.live;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
import dev.sluice.papers.padll.PadllPaper;
import dev.sluice.papers.padll.Setup;
import dev.sluice.papers.padll.TestScenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleConsumer;

/** Section V-C of PADLL with real programs on this machine, scaled down. */
public final class PadllLive implements Paper {
  public static final String PAPER = new PadllPaper().id();

  /** Five minutes in all, and 5,500 operations a second at most: a small machine can do that. */
  private static final LivePace PACE = new LivePace(300_000_000, 20);

  private final Paper paper = new PadllPaper();
  private final Path place;
  private final BooleanSupplier stopped;
  private final DoubleConsumer progress;

  /**
   * @param place a directory in which programs may play
   * @param stopped whether to end early
   * @param progress hears which part of it, 0 to 1, is done
   */
  public PadllLive(Path place, BooleanSupplier stopped, DoubleConsumer progress) {
    this.place = place;
    this.stopped = stopped;
    this.progress = progress;
  }

  @Override
  public String id() {
    return PAPER + " --live";
  }

  @Override
  public String citation() {
    return paper.citation();
  }

  @Override
  public boolean isLive() {
    return true;
  }

  @Override
  public List<Experiment> experiments() {
    List<Experiment> experiments = new ArrayList<>();
    for (TestScenario scenario : TestScenario.TABLE_I) {
      experiments.add(new LiveScenario(scenario, PACE, place, stopped, this::at));
    }
    experiments.add(new LiveOverload(PACE, place, stopped));
    return experiments;
  }

  /** As if all took as long as in the paper. */
  private void at(TestScenario now, Setup current, double minutes) {
    double all = 0;
    double done = 0;
    for (TestScenario scenario : TestScenario.TABLE_I) {
      for (Setup setup : Setup.values()) {
        int expected = scenario.paperMinutes(setup);
        all += expected;
        boolean before =
            scenario.number() < now.number()
                || (scenario.number() == now.number() && setup.compareTo(current) < 0);
        done += before ? expected : 0;
      }
    }
    progress.accept((done + Math.min(minutes, now.paperMinutes(current))) / all);
  }
}
