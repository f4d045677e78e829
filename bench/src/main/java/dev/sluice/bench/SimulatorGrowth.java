package dev.sluice.bench;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.SimRuns;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Ten seconds of a site whose targets grow with its jobs: what an event costs, and whether runs
 * that share the machine come out as each does alone.
 */
final class SimulatorGrowth {
  private static final int[] JOBS = {100, 1_000, 10_000, 100_000, 1_000_000};

  /** So many of these sizes are tried with two runs at once, which need twice the memory. */
  private static final int TOGETHER = 4;

  private static final int JOBS_PER_TARGET = 100;
  private static final List<String> POLICIES = List.of("fair", "adaptbf");

  private SimulatorGrowth() {}

  static void run(boolean quick) throws InterruptedException {
    int[] sizes = quick ? Arrays.copyOf(JOBS, 3) : JOBS;
    GrowthTable table = new GrowthTable("the simulator, ns for each event", "jobs", sizes);
    simulate(scenario(sizes[1]), POLICIES.getLast());
    for (String policy : POLICIES) {
      double[] nanos = new double[sizes.length];
      for (int k = 0; k < sizes.length; k++) {
        long before = GrowthTable.processorNanos();
        long events = simulate(scenario(sizes[k]), policy).events();
        nanos[k] = (double) (GrowthTable.processorNanos() - before) / events;
      }
      table.row("under " + policy, nanos);
    }
    System.out.println();
    together(Arrays.copyOf(sizes, Math.min(sizes.length, TOGETHER)));
  }

  /** Two runs at once, which must come out as each does alone. */
  private static void together(int[] sizes) throws InterruptedException {
    GrowthTable table = new GrowthTable("two runs on two threads", "jobs", sizes);
    double[] faster = new double[sizes.length];
    for (int k = 0; k < sizes.length; k++) {
      Scenario scenario = scenario(sizes[k]);
      long began = System.nanoTime();
      List<RunResult> alone = POLICIES.stream().map(policy -> simulate(scenario, policy)).toList();
      long between = System.nanoTime();
      List<RunResult> beside =
          new SimRuns(StandardSimulator::new, POLICIES.size(), System::nanoTime)
                  .run(POLICIES.stream().map(name -> choice(scenario, name)).toList(), 1, _ -> {})
                  .stream()
                  .map(SimRuns.Outcome::result)
                  .toList();
      faster[k] = (double) (between - began) / (System.nanoTime() - between);
      if (!beside.equals(alone)) {
        throw new IllegalStateException(sizes[k] + " jobs came out otherwise beside another run");
      }
    }
    table.row("identical to one after the other, so many times as fast", faster);
  }

  private static Scenario scenario(int jobs) {
    String text =
        """
        mode: fluid
        end: 10 s
        sample: 10 s
        period: 1 s
        policies: [fair]
        targets:
          ost: {repeat: %d, bandwidth: 500 MB/s, latency: 20 ms, threads: 64}
        jobs:
          a:
            repeat: %d
            processes:
              window: 4
              phases: {iterations: 1000, compute: 5 s, jitter: 0.2, write: 20 MB}
        """
            .formatted(Math.max(1, jobs / JOBS_PER_TARGET), jobs);
    return ScenarioReader.parse("growth.yaml", text, Path.of(""), 1);
  }

  private static RunResult simulate(Scenario scenario, String name) {
    SimRuns.Choice choice = choice(scenario, name);
    return new StandardSimulator()
        .run(scenario, choice.policy(), choice.settings(), 1, Simulator.Progress.NONE);
  }

  private static SimRuns.Choice choice(Scenario scenario, String name) {
    PolicyFactory policy = PolicyRegistry.named(name);
    return new SimRuns.Choice(scenario, policy, new Settings(policy.info(), Map.of()));
  }
}
