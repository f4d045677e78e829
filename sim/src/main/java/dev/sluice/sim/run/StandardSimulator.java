package dev.sluice.sim.run;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.batch.StartOrder;
import dev.sluice.sim.fluid.FluidSimulation;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;

/** The simulator: runs every mode of scenario that there is. */
public final class StandardSimulator implements Simulator {
  @Override
  public RunResult run(
      Scenario scenario, PolicyFactory policy, Settings settings, long seed, Progress progress) {
    PolicyInfo info = policy.info();
    Policy<?> created = policy.create(settings);
    StartOrder startOrder = StartOrder.of(scenario);
    return switch (scenario.mode()) {
      case REQUESTS ->
          new RequestSimulation(scenario, info, created, startOrder, seed, progress).run();
      case FLUID -> new FluidSimulation(scenario, info, created, startOrder, seed, progress).run();
    };
  }
}
