package dev.sluice.papers;

import dev.sluice.sim.result.RunResult;
import java.util.Map;

/**
 * The results of a paper's trials, by their names.
 *
 * @param seed where everything random comes from, also what is drawn while concluding
 */
public record Outcomes(long seed, Map<String, RunResult> byTrial) {
  public Outcomes {
    byTrial = Map.copyOf(byTrial);
  }

  public RunResult of(String trial) {
    RunResult result = byTrial.get(trial);
    if (result == null) {
      throw new IllegalArgumentException("there is no trial " + trial);
    }
    return result;
  }
}
