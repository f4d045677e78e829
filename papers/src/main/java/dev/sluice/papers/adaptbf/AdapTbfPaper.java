package dev.sluice.papers.adaptbf;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
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
  public List<Experiment> experiments() {
    return experiments;
  }
}
