package dev.sluice.papers;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.StandardSimulator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs what experiments need. */
public final class Trials {
  private Trials() {}

  public static Outcomes run(List<Trial> trials, long seed) {
    Map<String, RunResult> results = new HashMap<>();
    for (Trial trial : trials) {
      PolicyFactory policy = PolicyRegistry.named(trial.policy());
      Settings settings = new Settings(policy.info(), trial.settings());
      results.put(
          trial.name(),
          new StandardSimulator()
              .run(trial.scenario(), policy, settings, seed, Simulator.Progress.NONE));
    }
    return new Outcomes(seed, results);
  }
}
