package dev.sluice.papers.iosets;

import dev.sluice.papers.Documented;
import dev.sluice.papers.Experiment;
import dev.sluice.papers.Trials;
import org.junit.jupiter.api.Test;

/** One of the paper's experiments with one seed; all of them take many minutes. */
class IoSetsPaperTest {
  private static final long SEED = 1;

  @Test
  void theDocumentedResultsAreStillTrue() {
    Experiment experiment = new SixteenApplications(Timing.UNSTEADY);
    new Documented("iosets").holds(experiment.conclude(Trials.run(experiment.trials(SEED), SEED)));
  }
}
