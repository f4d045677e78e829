package dev.sluice.sim.papers.adaptbf;

import dev.sluice.sim.papers.Chapter;
import dev.sluice.sim.papers.Outcomes;
import dev.sluice.sim.papers.Paper;
import dev.sluice.sim.papers.Trial;
import java.util.ArrayList;
import java.util.List;

/**
 * Sections IV-D to IV-H of AdapTBF, under No BW (none), Static BW (static), AdapTBF and, which the
 * paper does not have, fair queueing.
 */
public final class AdapTbfPaper implements Paper {
  private final List<Experiment> experiments =
      List.of(
          new AllocationExperiment(),
          new RedistributionExperiment(),
          new RecompensationExperiment(),
          new OverheadExperiment(),
          new PeriodExperiment());

  /** One section of the paper. */
  interface Experiment {
    List<Trial> trials(long seed);

    Chapter conclude(Outcomes outcomes);
  }

  @Override
  public String id() {
    return "adaptbf";
  }

  @Override
  public String citation() {
    return "Rashid and Dai, AdapTBF: Decentralized Bandwidth Control via Adaptive Token Borrowing"
        + " for HPC Storage.";
  }

  @Override
  public List<Trial> trials(long seed) {
    List<Trial> trials = new ArrayList<>();
    experiments.forEach(experiment -> trials.addAll(experiment.trials(seed)));
    return trials;
  }

  @Override
  public List<Chapter> conclude(Outcomes outcomes) {
    return experiments.stream().map(experiment -> experiment.conclude(outcomes)).toList();
  }
}
