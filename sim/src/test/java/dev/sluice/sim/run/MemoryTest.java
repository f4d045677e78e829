package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.MIB;
import static dev.sluice.sim.run.Worlds.MILLISECOND;
import static dev.sluice.sim.run.Worlds.SECOND;
import static dev.sluice.sim.run.Worlds.job;
import static dev.sluice.sim.run.Worlds.processes;
import static dev.sluice.sim.run.Worlds.target;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.sluice.core.model.Operation;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is not allocated cannot grow: a run that lasts ten times as long takes no more memory. */
class MemoryTest {
  private static final double BYTES_PER_EVENT_MAX = 1;

  @ParameterizedTest
  @ValueSource(strings = {"none", "fair"})
  void passingTimeMakesNoGarbage(String policy) {
    measure(policy, 100);
    // Bursts fall behind here, ever more, and the books of how late they are grow with the
    // logarithm
    // of it: once between the two.
    Measured brief = measure(policy, 2_000);

    Measured lasting = measure(policy, 4_000);

    double moreEvents = lasting.events - brief.events;
    assertThat(moreEvents).isGreaterThan(500_000);
    assertThat((lasting.allocatedBytes - brief.allocatedBytes) / moreEvents)
        .isLessThan(BYTES_PER_EVENT_MAX);
  }

  private record Measured(double events, double allocatedBytes) {}

  private static Measured measure(String policy, long seconds) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    RunResult result = Worlds.run(world(seconds), policy);
    return new Measured(result.events(), threads.getCurrentThreadAllocatedBytes() - before);
  }

  /** Decisions make garbage, which is not what is measured here: there is one an hour. */
  private static Scenario world(long seconds) {
    List<TargetSpec> targets = List.of(target("a", 200), target("b", 200));
    FileLayout striped = new FileLayout(FileLayout.Placement.ROUND_ROBIN, 2, MIB, List.of());
    Workload endless = new Workload.Sequential(Operation.WRITE, Long.MAX_VALUE, MIB);
    Workload bursts =
        new Workload.Bursts(Operation.READ, Long.MAX_VALUE, 5 * MIB, MIB / 2, SECOND / 10, 0.5);
    Workload open = new Workload.OpenLoop(Operation.READ, MIB / 4, 20, false, Long.MAX_VALUE);
    Workload phases =
        new Workload.Phases(Integer.MAX_VALUE, SECOND, 0.5, Operation.WRITE, 9 * MIB, MIB);
    List<JobSpec> jobs =
        List.of(
            job("endless", 1, new ProcessGroup(4, 0, 8, endless, striped)),
            job("bursty", 1, processes(2, 4, bursts)),
            job("open", 1, processes(1, 1, open)),
            job("phased", 1, processes(3, 2, phases)));
    return new Scenario(
        "endless",
        "",
        Scenario.Mode.REQUESTS,
        seconds * SECOND,
        100 * MILLISECOND,
        3_600 * SECOND,
        0,
        targets,
        jobs,
        List.of());
  }
}
