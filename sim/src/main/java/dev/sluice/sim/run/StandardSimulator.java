package dev.sluice.sim.run;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.function.Function;

/** The simulator: runs every mode of scenario that there is. */
public final class StandardSimulator implements Simulator {
  private final Function<Scenario, StartOrder> startOrders;

  /** Starts every job when it is submitted. */
  public StandardSimulator() {
    this(_ -> new ImmediateStart());
  }

  /** Asks for a new start order for each run. */
  public StandardSimulator(Function<Scenario, StartOrder> startOrders) {
    this.startOrders = startOrders;
  }

  @Override
  public RunResult run(
      Scenario scenario, PolicyFactory policy, Settings settings, long seed, Progress progress) {
    PolicyInfo info = policy.info();
    if (info.scope() != PolicyInfo.Scope.EACH_TARGET_ALONE) {
      throw new IllegalArgumentException(
          "policy " + info.name() + " decides about all targets together, which is not simulated");
    }
    return new RequestSimulation(
            scenario,
            info,
            policy.create(settings),
            startOrders.apply(scenario),
            seed,
            progress)
        .run();
  }
}
