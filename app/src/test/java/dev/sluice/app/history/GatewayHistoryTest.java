package dev.sluice.app.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.app.Cli;
import dev.sluice.command.metrics.MetricsText;
import dev.sluice.gateway.Gateway;
import dev.sluice.testkit.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("untimed")
@Timeout(300)
class GatewayHistoryTest {
  private static final String GATEWAY =
      """
      nfs-port: 0
      mount-port: 0
      state: state
      dashboard: off
      targets: {disk: {capacity: 100 MB/s}}
      exports: {/scratch: {directory: data, privileged-ports: false}}
      controller: {addresses: ["127.0.0.1:7420"], name: g1}
      """;

  @TempDir Path directory;

  private static boolean isOfAlerts(String problem) {
    return problem.startsWith("alerts stay as they are: ");
  }

  private static String metrics(GatewayHistory history) {
    MetricsText text = new MetricsText();
    history.keeper().addTo(text);
    return text.toString();
  }

  /** From the configuration to the webhook, the metrics and the report, and back again. */
  @Test
  void tellsThatTheControllerIsLostAndForgetsItWhenNobodyWantsToKnow() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          received.add(
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    receiver.start();
    Files.createDirectory(directory.resolve("data"));
    Path file = directory.resolve("sluice.yaml");
    Files.writeString(
        file,
        GATEWAY
            + "alerts: {controller-lost: 1 s, webhook: 'http://127.0.0.1:"
            + receiver.getAddress().getPort()
            + "/'}\n");
    try (Gateway gateway = Gateway.start(file);
        GatewayHistory history =
            Objects.requireNonNull(
                GatewayHistory.begin(gateway, file, HistorySettings.read(file)))) {
      Eventually.await(
          "an alert", () -> metrics(history).contains("alerts_firing{kind=\"controller-lost\"} 1"));
      Eventually.await("who wants to know is told", () -> received.size() == 1);
      assertThat(received.getFirst())
          .contains("\"alert\":\"controller-lost\"", "\"state\":\"firing\"");
      Files.writeString(file, GATEWAY + "alerts: {saturatd: 5 min}\n");
      Eventually.await(
          "what is wrong is told",
          () -> gateway.status().problems().stream().anyMatch(GatewayHistoryTest::isOfAlerts));
      assertThat(gateway.status().problems().stream().filter(GatewayHistoryTest::isOfAlerts))
          .first(InstanceOfAssertFactories.STRING)
          .contains("sluice.yaml:8:10", "saturatd", "did you mean");
      assertThat(metrics(history))
          .as("what is wrong changes nothing")
          .contains("alerts_firing{kind=\"controller-lost\"} 1");
      Files.writeString(file, GATEWAY + "alerts: {saturated: 5 min}\n");
      Eventually.await(
          "no alert", () -> metrics(history).contains("alerts_firing{kind=\"controller-lost\"} 0"));
      assertThat(gateway.status().problems()).noneMatch(GatewayHistoryTest::isOfAlerts);
      assertThat(metrics(history)).contains("alerts_fired_total{kind=\"controller-lost\"} 1");
    } finally {
      receiver.stop(0);
    }
    Cli report = Cli.run("report", "-c", file.toString(), "--since", "1h");
    assertThat(report.out())
        .contains("the gateway has started")
        .containsSubsequence("Alerts", "controller-lost: no controller decides")
        .contains("controller-lost is over");
  }
}
