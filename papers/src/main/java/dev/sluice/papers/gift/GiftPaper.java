package dev.sluice.papers.gift;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
import java.util.List;

/**
 * Figures 7 to 14 of GIFT under GIFT, its variant {@code net}, the paper's seven rivals and, which
 * the paper does not have, max-min filling.
 */
public final class GiftPaper implements Paper {
  private final List<Experiment> experiments;

  /**
   * As many applications as in the paper. Its simulation of 25 days is five of 5 days here, one for
   * each seed: that tells more, and takes no longer.
   */
  public GiftPaper() {
    this(
        new ApplicationSet(250, 7),
        new ApplicationSet(500, 5),
        new ApplicationSet(500, 5),
        List.of(
            new ApplicationSet(100, 3),
            new ApplicationSet(250, 3),
            new ApplicationSet(500, 3),
            new ApplicationSet(750, 3),
            new ApplicationSet(1_000, 3)));
  }

  /**
   * Of any size.
   *
   * @param real stands for the paper's real system
   * @param simulated for its simulation
   * @param swept for its exploration of parameters
   * @param contending for its levels of contention
   */
  GiftPaper(
      ApplicationSet real,
      ApplicationSet simulated,
      ApplicationSet swept,
      List<ApplicationSet> contending) {
    experiments =
        List.of(
            new RealSystemExperiment(real),
            new SimulationExperiment(simulated),
            new ParametersExperiment(swept),
            new ContentionExperiment(contending));
  }

  @Override
  public String id() {
    return "gift";
  }

  @Override
  public String citation() {
    return "Patel, Garg and Tiwari, GIFT: A Coupon Based Throttle-and-Reward Mechanism for Fair and"
        + " Efficient I/O Bandwidth Management on Parallel Storage Systems (FAST 2020).";
  }

  @Override
  public List<Experiment> experiments() {
    return experiments;
  }
}
