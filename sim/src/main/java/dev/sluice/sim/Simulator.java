package dev.sluice.sim;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;

/** Runs a scenario under a policy. The same scenario, settings and seed give the same result. */
public interface Simulator {
  RunResult run(
      Scenario scenario, PolicyFactory policy, Settings settings, long seed, Progress progress);

  /** Told now and then how far a run is. */
  @FunctionalInterface
  interface Progress {
    /** For those who do not want to know. */
    Progress NONE = (nowNanos, done) -> {};

    /**
     * Takes note.
     *
     * @param nowNanos the virtual time that is reached
     * @param done which part of the work is done as far as that can be said, 0 to 1
     */
    void at(long nowNanos, double done);
  }
}
