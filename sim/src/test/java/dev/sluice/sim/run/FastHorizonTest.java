package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.MIB;
import static dev.sluice.sim.run.Worlds.SECOND;
import static dev.sluice.sim.run.Worlds.job;
import static dev.sluice.sim.run.Worlds.processes;
import static dev.sluice.sim.run.Worlds.scenario;
import static dev.sluice.sim.run.Worlds.target;
import static dev.sluice.sim.run.Worlds.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Operation;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.Workload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is done between two decisions that are ten seconds apart, and what happens where nothing is:
 * why it is done.
 */
class FastHorizonTest {
  private static final long NEWCOMER_BEGINS = 10 * SECOND + SECOND / 2;

  private static RunResult run(
      Scenario.Mode mode, long endNanos, List<JobSpec> jobs, String policy, String lending) {
    PolicyFactory factory = PolicyRegistry.named(policy);
    return new StandardSimulator()
        .run(
            scenario(mode, endNanos, List.of(target("ost0", 100)), jobs),
            factory,
            new Settings(factory.info(), Map.of("lending", lending)),
            1,
            Simulator.Progress.NONE);
  }

  private static double utilisation(RunResult result) {
    return (double) result.targets().getFirst().busyNanos() / result.endNanos();
  }

  /** Two jobs have half of the target each; one computes most of the time. */
  @ParameterizedTest
  @CsvSource({"REQUESTS, bsip", "REQUESTS, gift", "FLUID, bsip", "FLUID, gift"})
  void whatAJobLeavesThatComputesIsUsedByTheOther(Scenario.Mode mode, String policy) {
    Workload phases = new Workload.Phases(100, 5 * SECOND, 0, Operation.WRITE, 6 * MIB, MIB);
    List<JobSpec> jobs =
        List.of(
            job("busy", 1, processes(8, 8, write(100_000))),
            job("phased", 1, processes(8, 8, phases)));
    RunResult without = run(mode, 60 * SECOND, jobs, policy, "0 s");
    RunResult with = run(mode, 60 * SECOND, jobs, policy, "100 ms");
    assertThat(utilisation(without)).as("a third lies idle, with a backlog").isLessThan(0.7);
    assertThat(utilisation(with)).isGreaterThan(0.98);
    // Who lends finds 16 requests of the other in service when it comes back, and a look to come.
    double lateNanos = 0.16 * SECOND + 0.1 * SECOND;
    assertThat(nanosPerByte(job(with, "phased")))
        .isLessThanOrEqualTo(nanosPerByte(job(without, "phased")) + lateNanos / (8 * 6 * MIB));
  }

  private static double nanosPerByte(JobResult job) {
    return (double) job.ioNanos() / job.bytes();
  }

  /** Three jobs use all of the target when another comes just after a decision. */
  @ParameterizedTest
  @CsvSource({"REQUESTS, bsip", "REQUESTS, gift", "FLUID, bsip", "FLUID, gift"})
  void aNewcomerDoesNotWaitForTheNextDecision(Scenario.Mode mode, String policy) {
    ProcessGroup little = new ProcessGroup(1, NEWCOMER_BEGINS, 1, write(4), Worlds.ONE_STRIPE);
    List<JobSpec> jobs =
        List.of(
            job("a", 1, processes(8, 8, write(100_000))),
            job("b", 1, processes(8, 8, write(100_000))),
            job("c", 1, processes(8, 8, write(100_000))),
            job("newcomer", 1, little));
    RunResult without = run(mode, 30 * SECOND, jobs, policy, "0 s");
    RunResult with = run(mode, 30 * SECOND, jobs, policy, "100 ms");
    assertThat(job(without, "newcomer").endNanos() - NEWCOMER_BEGINS)
        .as("it is served from the next decision on")
        .isGreaterThan(9 * SECOND);
    assertThat(job(with, "newcomer").endNanos() - NEWCOMER_BEGINS).isLessThan(4 * SECOND);
    for (String promised : List.of("a", "b", "c")) {
      assertThat(job(with, promised).bytes())
          .as("nobody has less for it than by a fiftieth")
          .isGreaterThanOrEqualTo((long) (0.98 * job(without, promised).bytes()));
    }
    assertThat(utilisation(with)).isGreaterThanOrEqualTo(utilisation(without));
  }
}
