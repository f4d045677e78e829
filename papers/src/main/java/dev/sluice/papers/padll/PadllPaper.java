package dev.sluice.papers.padll;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
import java.util.ArrayList;
import java.util.List;

/** Sections V-A to V-C of PADLL: figures 6 to 9, table I. */
public final class PadllPaper implements Paper {
  @Override
  public String id() {
    return "padll";
  }

  @Override
  public String citation() {
    return "Macedo, Miranda, Tanimura, Haga, Ruhela, Harrell, Evans, Pereira and Paulo, Taming"
        + " Metadata-intensive HPC Jobs Through Dynamic, Application-agnostic QoS Control (CCGrid"
        + " 2023).";
  }

  @Override
  public List<Experiment> experiments() {
    List<Experiment> experiments = new ArrayList<>();
    experiments.add(new OperationLimits());
    experiments.add(new ClassLimits());
    TestScenario.TABLE_I.forEach(scenario -> experiments.add(new PerJobExperiment(scenario)));
    return experiments;
  }
}
