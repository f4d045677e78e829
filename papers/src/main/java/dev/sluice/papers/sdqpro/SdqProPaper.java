package dev.sluice.papers.sdqpro;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
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
