package dev.sluice.control.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.core.model.JobId;
import dev.sluice.stage.agent.AgentProcess;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.store.lease.LeaderMemory;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs under the stage on two nodes of one controller, each with an agent and a stage directory
 * of its own.
 */
@Timeout(240)
class StageNodesTest {
  private static final long MAXIMUM = 1_000;
  private static final long WINDOW_NANOS = 5_000_000_000L;
  private static final long LOOK_MILLIS = 50;
  private static final int RUN_SECONDS = EnduranceScale.of(10, 60);

  @TempDir Path temporary;

  /** A node: an agent with a directory of its own. */
  private final class Node implements AutoCloseable {
    final AgentProcess agent;
    final NodeLink link;
    final Path mount;

    Node(String name, int port) throws IOException {
      mount = Files.createDirectories(temporary.resolve(name + "-mount")).toRealPath();
      agent =
          new AgentProcess(new StageDirectory(temporary.resolve(name)), ControlPrograms.HOUR_NANOS);
      link =
          new NodeLink(
              agent.agent(),
              name,
              "test",
              ControllerLink.Addresses.local(ControlPrograms.loopback(port)),
              LeaderMemory.NONE);
    }

    /** Starts a program of a job, which is there for as long as the test. */
    Process run(String job, double seconds) throws IOException {
      StageAgent stage = agent.agent();
      JobId id = JobId.of(job);
      if (stage.job(id).isEmpty()) {
        stage.add(id, StageDirectory.thisUser(), List.of(mount), List.of());
      }
      return LimitedPrograms.start(stage.job(id).orElseThrow().directory(), mount, seconds);
    }

    /** What all jobs have done so far, by job; what has ended is not lost. */
    void count(Map<String, Long> calls) throws IOException {
      for (StagedJob job : agent.agent().jobs()) {
        long sum = job.usage().values().stream().mapToLong(OperationUsage::calls).sum();
        calls.put(agent.agent().directory() + "/" + job.id(), sum);
      }
    }

    @Override
    public void close() throws IOException {
      link.close();
      agent.close();
    }
  }

  /** How much was done until some instant between two. */
  private record Sample(long fromNanos, long toNanos, long calls) {}

  @ParameterizedTest
  @ValueSource(strings = {"psfa", "sojourn-all"})
  void theMaximumIsKeptWhileJobsComeAndGo(String algorithm) throws Exception {
    LimitedPrograms.assumeBuilt();
    List<Process> programs = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    Map<String, Long> calls = new HashMap<>();
    try (Controller controller = ControlPrograms.controller(0, MAXIMUM, algorithm);
        Node one = new Node("one", controller.port());
        Node two = new Node("two", controller.port())) {
      awaitMembers(controller, 2);
      long began = System.nanoTime();
      int step = 0;
      while (System.nanoTime() - began < RUN_SECONDS * 1_000_000_000L) {
        if ((System.nanoTime() - began) / 2_000_000_000L >= step) {
          // Jobs on one node and on both, some of which end while others go on.
          switch (step % 4) {
            case 0 -> {
              programs.add(one.run("a", 9));
              programs.add(two.run("a", 9));
            }
            case 1 -> programs.add(one.run("b" + step, 5));
            case 2 -> programs.add(two.run("c" + step, 4));
            default -> programs.add(one.run("a", 6));
          }
          step++;
        }
        long fromNanos = System.nanoTime();
        one.count(calls);
        two.count(calls);
        samples.add(
            new Sample(
                fromNanos,
                System.nanoTime(),
                calls.values().stream().mapToLong(Long::longValue).sum()));
        TimePasses.forMillis(LOOK_MILLIS);
      }
      for (Process program : programs) {
        assertThat(LimitedPrograms.worstSeconds(program)).as("a call waited").isLessThan(10);
      }
    } finally {
      programs.forEach(Process::destroyForcibly);
    }
    assertThat(most(samples)).isLessThanOrEqualTo(1.01 * MAXIMUM);
    // They were held back, not idle.
    assertThat(most(samples)).isGreaterThan(0.5 * MAXIMUM);
  }

  private static void awaitMembers(Controller controller, int count) throws Exception {
    Eventually.await(
        "the nodes are connected",
        () -> {
          ControllerStatus status = controller.status();
          return status.members().size() == count && status.cycles() > 2;
        });
  }

  /** The highest rate that there was for sure over any window. */
  private static double most(List<Sample> samples) {
    double most = 0;
    int first = 0;
    for (int last = 0; last < samples.size(); last++) {
      long lastNanos = samples.get(last).toNanos;
      while (first < last && lastNanos - samples.get(first + 1).fromNanos >= WINDOW_NANOS) {
        first++;
      }
      long nanos = lastNanos - samples.get(first).fromNanos;
      if (nanos >= WINDOW_NANOS) {
        most = Math.max(most, (samples.get(last).calls - samples.get(first).calls) * 1e9 / nanos);
      }
    }
    return most;
  }
}
