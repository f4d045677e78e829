package dev.sluice.app.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The controller and the aggregator of examples/control, on ports of their own. */
@Tag("untimed")
@Timeout(300)
class ControlCommandsTest {
  @TempDir Path directory;
  private int members;
  private int api;
  private Path controller;
  private Path aggregator;

  @BeforeEach
  void copyTheExamples() throws IOException {
    members = freePort();
    api = freePort();
    for (String name : new String[] {"controller.yaml", "limits.yaml", "aggregator.yaml"}) {
      Files.writeString(
          directory.resolve(name),
          Files.readString(Cli.inTree("examples/control/" + name))
              .replace("127.0.0.1:7420", "127.0.0.1:" + members)
              .replace("127.0.0.1:7421", "127.0.0.1:0"));
    }
    controller = directory.resolve("controller.yaml");
    aggregator = directory.resolve("aggregator.yaml");
    Files.writeString(controller, Files.readString(controller) + "api: 127.0.0.1:" + api + "\n");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Cli ask(String command) {
    return Cli.run("controller", command, "-c", controller.toString());
  }

  private Cli awaitStatus(Predicate<Cli> condition) throws Exception {
    AtomicReference<Cli> last = new AtomicReference<>(ask("status"));
    Eventually.await(
        "its status is another",
        () -> condition.test(last.updateAndGet(_ -> ask("status"))),
        () -> " than " + last);
    return last.get();
  }

  private String get(String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api + "/" + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body();
    }
  }

  /** An aggregator in a process of its own, since it ends by a signal alone. */
  private Process startAggregator() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.sluice.app.Main",
            "aggregator",
            "-c",
            aggregator.toString())
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void theExamplesRunAreAskedAndStop() throws Exception {
    CompletableFuture<Cli> running =
        CompletableFuture.supplyAsync(() -> Cli.run("controller", "-c", controller.toString()));
    try {
      standAndAnswer(running);
    } finally {
      assertThat(ask("stop").exitCode()).isZero();
    }
    Cli ended = running.get(60, TimeUnit.SECONDS);
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    assertThat(ended.out())
        .contains("port " + members + "; nodes report every 1 s, limits lapse after 5 s")
        .contains("http http://127.0.0.1:" + api)
        .contains("history in " + directory.resolve("sluice-state/history"));
    assertThat(ask("status").err()).contains("no controller answers here");

    Cli report = Cli.run("report", "-c", controller.toString(), "--since", "1h");
    assertThat(report.exitCode()).as(report.err()).isZero();
    assertThat(report.out()).contains("the controller has started", "metadata");
  }

  private void standAndAnswer(CompletableFuture<Cli> running) throws Exception {
    Cli status = awaitStatus(cli -> cli.exitCode() == 0 || running.isDone());
    assertThat(running.isDone()).as("it ended too early").isFalse();
    assertThat(status.out())
        .contains("leads, epoch ")
        .contains("metadata: 0 ops/s of 110 kops/s, divided by psfa");
    assertThat(ask("stray").exitCode()).isEqualTo(2);

    Process standsForMany = startAggregator();
    try (BufferedReader said = standsForMany.inputReader()) {
      assertThat(said.readLine()).startsWith("listening on port ");
      awaitStatus(cli -> cli.out().contains("rack-7") && cli.out().contains("aggregator"));
      assertThat(get("api/v1/status")).contains("\"connections\":1", "\"name\":\"metadata\"");
      assertThat(get("metrics")).contains("sluice_connections 1", "sluice_history_bytes ");
      // A signal alone: the process's own destroy() would also close what it says.
      standsForMany.toHandle().destroy();
      assertThat(said.lines().toList()).as("whatever it logs before").endsWith("stopped");
      assertThat(standsForMany.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(standsForMany.exitValue()).as("being told to stop is no failure").isZero();
    } finally {
      standsForMany.destroyForcibly();
    }
    awaitStatus(cli -> !cli.out().contains("rack-7"));
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() throws IOException {
    assertRefused("controller", "listen: nowhere\n", "wrong.yaml:1:9");
    assertRefused("controller", "# a note\nlistn: 127.0.0.1:0\n", "wrong.yaml:2:1", "mean listen");
    assertRefused("controller", "listen: 0.0.0.0:7420\n", "keys: expected the directory");
    assertRefused("controller", "{period: 1 s, lapse: 1 s}\n", "lapse: expected at least two");
    assertRefused("controller", "gateways: fair\n", "wrong.yaml:1:11", "such as gift");
    assertRefused("controller", "history: maybe\n", "wrong.yaml:1:10", "on, off");
    Files.writeString(directory.resolve("limits.yaml"), "resources: [{operations: metdata}]\n");
    Cli document = Cli.run("controller", "-c", controller.toString());
    assertThat(document.exitCode()).isEqualTo(2);
    assertThat(document.err()).contains("limits.yaml:1:");
    assertRefused("aggregator", "name: a\n", "wrong.yaml", "controllers");
    assertRefused("aggregator", "{name: a, controllers: []}\n", "at least one controller");
    assertRefused("aggregator", "{name: a, controllers: [7420]}\n", "wrong.yaml:1:25");
    Cli nowhere = Cli.run("controller", "-c", directory.resolve("nowhere.yaml").toString());
    assertThat(nowhere.exitCode()).isEqualTo(2);
    assertThat(nowhere.err()).contains("nowhere.yaml");
  }

  private void assertRefused(String command, String configuration, String... words)
      throws IOException {
    Path wrong = Files.writeString(directory.resolve("wrong.yaml"), configuration);
    Cli cli = Cli.run(command, "-c", wrong.toString());
    assertThat(cli.exitCode()).as(configuration).isEqualTo(2);
    assertThat(cli.err()).as(configuration).contains(words);
    assertThat(cli.err().lines()).as(configuration).hasSize(1);
  }
}
