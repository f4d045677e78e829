package dev.sluice.papers.iosets;

import dev.sluice.papers.Experiment;
import dev.sluice.papers.Paper;
import java.util.List;

/**
 * Section 5 of IO-Sets on BeeGFS, and two things that it names as future work: several data servers
 * and starvation.
 */
public final class IoSetsPaper implements Paper {
  @Override
  public String id() {
    return "iosets";
  }

  @Override
  public String citation() {
    return "Boito, Pallez, Teylo and others, IO-Sets on BeeGFS with period detection (Inria), after"
        + " Boito, Pallez, Teylo and Vidal, IO-Sets: Simple and Efficient Approaches for I/O"
        + " Bandwidth Management (IEEE TPDS 2023).";
  }

  @Override
  public List<Experiment> experiments() {
    return List.of(
        new SixteenApplications(Timing.IN_STEP),
        new SixteenApplications(Timing.UNSTEADY),
        new SeveralServers(),
        new Overload());
  }
}
