package dev.sluice.sim.papers.sdqpro;

import dev.sluice.sim.papers.Experiment;
import dev.sluice.sim.papers.Paper;
import java.util.List;

/** Section IV of SDQPro: tables II to V, figures 4 to 8. */
public final class SdqProPaper implements Paper {
  @Override
  public String id() {
    return "sdqpro";
  }

  @Override
  public String citation() {
    return "Tavakoli and Chen, A Software-Defined QoS Provisioning Framework for HPC Applications.";
  }

  @Override
  public List<Experiment> experiments() {
    return List.of(new TwentyApplications(), new RequestSizes());
  }
}
