package dev.sluice.control.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Controller, aggregator and agents are killed at random under load; programs must go on. At length
 * with {@code -Dsluice.endurance=full}.
 */
@Timeout(1_200)
class KillsTest {
  private static final int SECONDS = EnduranceScale.of(15, 600);

  /**
   * What is promised: an agent that is gone frees its jobs after 2 s. The rest is for a busy
   * machine.
   */
  private static final double BLOCKED_SECONDS_MAX = 8;

  @TempDir Path temporary;
  private final Map<String, Process> running = new HashMap<>();
  private final Map<String, String[]> commands = new HashMap<>();

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void begin(String name) throws IOException {
    running.put(name, ControlPrograms.start(Objects.requireNonNull(commands.get(name))));
  }

  @Test
  void programsGoOnWhateverIsKilled() throws Exception {
    LimitedPrograms.assumeBuilt();
    int controller = freePort();
    int aggregator = freePort();
    commands.put("controller", new String[] {"controller", "" + controller, "500"});
    commands.put("aggregator", new String[] {"aggregator", "" + aggregator, "" + controller});
    List<Path> jobs = new ArrayList<>();
    List<Path> mounts = new ArrayList<>();
    for (String node : List.of("one", "two")) {
      Path directory = temporary.resolve(node);
      Path mount = Files.createDirectories(temporary.resolve(node + "-mount")).toRealPath();
      // One calls the aggregator and, without it, the controller; the other only the controller.
      commands.put(
          node,
          node.equals("one")
              ? new String[] {
                "agent",
                directory.toString(),
                mount.toString(),
                node,
                "" + aggregator,
                "" + controller
              }
              : new String[] {
                "agent", directory.toString(), mount.toString(), node, "" + controller
              });
      jobs.add(new StageDirectory(directory).directoryOf(JobId.of("a")));
      mounts.add(mount);
    }
    List<Process> programs = new ArrayList<>();
    try {
      for (String name : commands.keySet()) {
        begin(name);
      }
      for (Path job : jobs) {
        Eventually.await("the job has its files", () -> LimitedPrograms.canStart(job));
      }
      for (int i = 0; i < jobs.size(); i++) {
        programs.add(LimitedPrograms.start(jobs.get(i), mounts.get(i), SECONDS));
      }
      killAtRandom();
      for (Process program : programs) {
        assertThat(LimitedPrograms.worstSeconds(program)).isLessThan(BLOCKED_SECONDS_MAX);
      }
    } finally {
      programs.forEach(Process::destroyForcibly);
      for (Process process : running.values()) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  private void killAtRandom() throws IOException, InterruptedException {
    Random random = new Random(7);
    List<String> names = commands.keySet().stream().sorted().toList();
    long began = System.nanoTime();
    while (System.nanoTime() - began < SECONDS * 1_000_000_000L) {
      TimePasses.forMillis(1_000 + random.nextInt(3_000));
      String victim = names.get(random.nextInt(names.size()));
      Process killed = Objects.requireNonNull(running.get(victim));
      killed.destroyForcibly().waitFor();
      TimePasses.forMillis(random.nextInt(3_000));
      begin(victim);
    }
  }
}
