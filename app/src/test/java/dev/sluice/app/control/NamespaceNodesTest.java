package dev.sluice.app.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.SluiceProcess;
import dev.sluice.core.model.JobId;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs under the stage on nodes that are network namespaces, each with an agent that calls the
 * controller over TLS.
 */
@Tag("untimed")
@Timeout(600)
class NamespaceNodesTest {
  private static final int NODES = 3;
  private static final long MAXIMUM = 1_000;
  private static final int RUN_SECONDS = EnduranceScale.of(12, 60);
  private static final double WINDOW_SECONDS = 5;

  /** Asks for a file's attributes for a while; at the end writes down when each answer came. */
  private static final String SCRIPT =
      """
      import os, sys, time
      until = time.monotonic() + float(sys.argv[2])
      answered = []
      now = time.monotonic()
      while now < until:
          os.stat(sys.argv[1])
          now = time.monotonic()
          answered.append(now)
      with open(sys.argv[3], 'w') as out:
          out.write('\\n'.join(map(repr, answered)))
      """;

  @TempDir private Path directory;
  private final Deque<SluiceProcess> running = new ArrayDeque<>();
  private final List<Process> programs = new ArrayList<>();
  private final List<Path> answers = new ArrayList<>();

  @AfterEach
  void stopAll() {
    programs.forEach(Process::destroyForcibly);
    running.forEach(SluiceProcess::close);
  }

  private static void must(String... arguments) {
    Cli done = Cli.run(arguments);
    assertThat(done.exitCode()).as(done.err()).isZero();
  }

  private StageDirectory stage(int node) {
    return new StageDirectory(directory.resolve("stage-" + node));
  }

  private String status(int node) {
    return Cli.run("agent", "status", "--directory", stage(node).path().toString()).out();
  }

  private SluiceProcess start(List<String> within, String name, String... arguments)
      throws IOException {
    SluiceProcess process =
        new SluiceProcess(within, List.of(), directory.resolve(name + ".log"), arguments);
    running.addFirst(process);
    return process;
  }

  private void startPlane(NodeNamespaces network) throws Exception {
    String keys = directory.resolve("keys").toString();
    List<String> init = new ArrayList<>(List.of("keys", "init", "--keys", keys));
    for (int node = 1; node <= NODES; node++) {
      init.addAll(List.of("--host", network.controllerAddress(node)));
    }
    must(init.toArray(String[]::new));
    Files.writeString(
        directory.resolve("limits.yaml"),
        "resources: [{operations: metadata, max: %d ops/s, policy: psfa}]\n".formatted(MAXIMUM));
    Path configuration =
        Files.writeString(
            directory.resolve("controller.yaml"),
            """
            listen: 0.0.0.0:7420
            api: none
            keys: keys
            state: controller
            document: limits.yaml
            period: 500 ms
            lapse: 5 s
            """);
    start(network.inController(), "controller", "controller", "-c", configuration.toString())
        .awaitLine("control socket");
    for (int node = 1; node <= NODES; node++) {
      must("keys", "node", "node-" + node, "--keys", keys);
      start(
              network.inNode(node),
              "node-" + node,
              "agent",
              "--directory",
              stage(node).path().toString(),
              "--name",
              "node-" + node,
              "--keys",
              keys,
              "--controller",
              network.controllerAddress(node) + ":7420")
          .awaitLine("looking after");
    }
    for (int node = 1; node <= NODES; node++) {
      int asked = node;
      SluiceProcess.await(
          "node " + node + " is connected: " + status(node),
          () -> status(asked).startsWith("controller: connected"));
    }
    // Until everybody has heard how many nodes there are.
    TimePasses.forMillis(2_000);
  }

  /** Starts a program of a job, which is there for as long as the test. */
  private void run(NodeNamespaces network, int node, String job, double seconds)
      throws IOException {
    Path mount = Files.createDirectories(directory.resolve("mount-" + node)).toRealPath();
    JobId id = JobId.of(job);
    if (!Files.exists(stage(node).directoryOf(id))) {
      must(
          "agent",
          "add",
          job,
          "--user",
          String.valueOf(StageDirectory.thisUser()),
          "--mount",
          mount.toString(),
          "--directory",
          stage(node).path().toString());
    }
    Path answered = directory.resolve("answered-" + answers.size());
    answers.add(answered);
    List<String> command = new ArrayList<>(network.inNode(node));
    command.addAll(
        List.of(
            "python3",
            "-c",
            SCRIPT,
            mount.toString(),
            String.valueOf(seconds),
            answered.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    PreloadLibrary.enter(builder.environment(), stage(node).directoryOf(id));
    programs.add(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  @Test
  void theMaximumIsKeptOverNodesThatAreMachinesOfTheirOwn() throws Exception {
    Assumptions.assumeTrue(
        PreloadLibrary.find().isPresent(), "libsluice.so was not built: no C compiler");
    try (NodeNamespaces network = NodeNamespaces.make(NODES)) {
      startPlane(network);
      long beganNanos = System.nanoTime();
      int step = 0;
      while (System.nanoTime() - beganNanos < RUN_SECONDS * 1_000_000_000L) {
        // Jobs on one node and on all, some of which end while others go on.
        int node = 1 + step % NODES;
        if (step % 4 == 0) {
          for (int each = 1; each <= NODES; each++) {
            run(network, each, "everywhere", 7);
          }
        } else {
          run(network, node, "job" + step, 4 + step % 3);
        }
        step++;
        TimePasses.forMillis(2_000);
      }
      for (Process program : programs) {
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(program.exitValue()).isZero();
      }
      double most = mostPerSecond();
      System.out.printf(
          Locale.ROOT,
          "%d programs on %d nodes: at most %.1f of %d ops/s over any %.0f s%n",
          programs.size(),
          NODES,
          most,
          MAXIMUM,
          WINDOW_SECONDS);
      assertThat(most).isLessThanOrEqualTo(1.01 * MAXIMUM);
      // They were held back, not idle.
      assertThat(most).isGreaterThan(0.5 * MAXIMUM);
      aNodeThatIsCutOffIsFreeAndLimitedAgain(network);
    } finally {
      stopAll();
    }
  }

  private void aNodeThatIsCutOffIsFreeAndLimitedAgain(NodeNamespaces network) throws Exception {
    assertThat(status(1)).contains("job everywhere: metadata ");
    network.cut(1);
    SluiceProcess.await(
        "limits of a node that is cut off lapse",
        () ->
            status(1).startsWith("controller: not connected")
                && status(1).contains("; limits have lapsed")
                && status(1).contains("job everywhere: nothing is limited"));
    assertThat(status(1)).contains("\nnote: controller: ");
    assertThat(status(2)).startsWith("controller: connected");
    network.connect(1);
    SluiceProcess.await(
        "it is limited again",
        () ->
            status(1).startsWith("controller: connected")
                && status(1).contains("job everywhere: metadata "));
  }

  /** The most that was done within any window, by all programs together. */
  private double mostPerSecond() throws IOException {
    List<Double> all = new ArrayList<>();
    for (Path file : answers) {
      Files.readAllLines(file).forEach(line -> all.add(Double.valueOf(line)));
    }
    double[] times = all.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(times);
    int most = 0;
    int first = 0;
    for (int last = 0; last < times.length; last++) {
      while (times[last] - times[first] > WINDOW_SECONDS) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most / WINDOW_SECONDS;
  }
}
