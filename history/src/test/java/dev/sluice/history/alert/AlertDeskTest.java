package dev.sluice.history.alert;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.Documents;
import dev.sluice.history.model.Event;
import dev.sluice.history.model.HistorySink;
import dev.sluice.history.model.Sample;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AlertDeskTest {
  private final List<String> received = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile int refusal = 503;
  private HttpServer server;
  private URI address;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/hook",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          if (refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            exchange.sendResponseHeaders(refusal, -1);
          } else {
            received.add(exchange.getRequestMethod() + " " + body);
            exchange.sendResponseHeaders(204, -1);
          }
          exchange.close();
        });
    server.start();
    address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private static Sample sample(long second, int saturatedMillis, Sample.OfJob... jobs) {
    return new Sample(
        1_000 * second,
        1_000,
        "fair",
        false,
        List.of(
            new Sample.OfTarget("disk", 100, TokenUnit.BYTES, 9, saturatedMillis, List.of(jobs))));
  }

  private static Sample.OfJob job(String id, long operations, long waitedMicros) {
    return new Sample.OfJob(id, "u", 1, operations, 0, 0, waitedMicros, 5, -1, 0);
  }

  @Test
  void tellsTheWebhookTheHistoryAndTheMetrics() throws Exception {
    List<Event> kept = new ArrayList<>();
    HistorySink history =
        new HistorySink() {
          @Override
          public void record(Sample sample) {
            throw new AssertionError("nobody asked for samples");
          }

          @Override
          public void record(Event event) {
            kept.add(event);
          }
        };
    AlertRules rules =
        AlertRules.read(
            Documents.parse(
                "test",
                "{saturated: 3 s, waiting: 2 s, limits-lapsed: 0 s, resolve-after: 2 s, webhook: '"
                    + address
                    + "'}"));
    try (AlertDesk desk = new AlertDesk(rules, history, "here")) {
      long second = TimeUnit.SECONDS.toNanos(1);
      for (int i = 0; i <= 3; i++) {
        desk.look(sample(i, 1_000), Map.of(), i * second);
      }
      desk.look(sample(4, 0, job("slow \"one\"", 2, 5_000_000)), Map.of(), 4 * second);
      desk.look(
          sample(5, 0),
          Map.of(new AlertKey(AlertKind.LIMITS_LAPSED, "disk"), "nobody is limited"),
          5 * second);
      await("what was said arrives", () -> received.size() >= 4);
      assertThat(received).hasSize(4);
      assertThat(received.getFirst())
          .startsWith("POST {")
          .contains(
              "\"alert\":\"target-saturated\"", "\"state\":\"firing\"", "\"subject\":\"disk\"")
          .contains("\"lasted_s\":3", "\"source\":\"here\"", "\"at\":\"1970-01-01T00:00:03Z\"");
      assertThat(received.get(1)).contains("job-waiting", "slow \\\"one\\\"", "wait 2.50 s");
      assertThat(received.get(2)).contains("target-saturated", "\"state\":\"resolved\"");
      assertThat(received.get(3)).contains("limits-lapsed");
      assertThat(kept).hasSize(4).allMatch(event -> event.kind() == Event.Kind.ALERT);
      await("all are counted", () -> desk.counts().webhookSent() == 4);
      assertThat(desk.counts().fired())
          .containsOnly(
              Map.entry(AlertKind.TARGET_SATURATED, 1L),
              Map.entry(AlertKind.JOB_WAITING, 1L),
              Map.entry(AlertKind.LIMITS_LAPSED, 1L));
      assertThat(desk.counts().firing().keySet())
          .containsExactlyInAnyOrder(AlertKind.JOB_WAITING, AlertKind.LIMITS_LAPSED);
    }
  }

  @Test
  void aJobOfWhichNothingIsServedWaitsLongerAndLonger() {
    AlertConditions conditions = new AlertConditions();
    AlertKey starving = new AlertKey(AlertKind.JOB_WAITING, "starving");
    for (int second = 1; second <= 4; second++) {
      assertThat(conditions.of(sample(second, 0, job("starving", 0, 0)), 5_000L)).isEmpty();
    }
    assertThat(conditions.of(sample(5, 0, job("starving", 0, 0)), 5_000L))
        .containsEntry(starving, "requests of job starving wait 5 s on target disk");
    assertThat(conditions.of(sample(6, 0, job("starving", 1, 0)), 5_000L)).isEmpty();
    assertThat(conditions.of(sample(7, 0, job("starving", 0, 0)), 5_000L)).isEmpty();
  }

  private static final Notice NOTICE =
      new Notice(new AlertKey(AlertKind.CONTROLLER_LOST, ""), true, 1_000, "gone");

  private static Webhook webhook(URI to, Duration timeout) {
    return new Webhook(new Webhook.Settings(to, "here", timeout, Duration.ofMillis(5)));
  }

  @Test
  void triesAgainAndGivesUpInTheEnd() throws Exception {
    try (Webhook webhook = webhook(address, Duration.ofSeconds(20))) {
      refusals.set(2);
      webhook.send(NOTICE, 0);
      await("it is sent", () -> webhook.sent() == 1);
      refusals.set(4);
      webhook.send(NOTICE, 0);
      await("it fails", () -> webhook.failed() == 1);
      assertThat(received).hasSize(1);
      refusal = 404;
      refusals.set(2);
      webhook.send(NOTICE, 0);
      await("it fails", () -> webhook.failed() == 2);
      assertThat(refusals).as("what is refused for good is not tried again").hasValue(1);
    }
  }

  @Test
  void aReceiverThatNeverAnswersHoldsUpNobody() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Webhook webhook =
            webhook(
                URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"),
                Duration.ofMillis(50))) {
      long before = System.nanoTime();
      for (int i = 0; i < 10 * Webhook.WAITING_MAX; i++) {
        webhook.send(NOTICE, 0);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
      assertThat(webhook.failed()).as("what is too much is given up").isPositive();
      await("it fails", () -> webhook.failed() > 9 * Webhook.WAITING_MAX + 1);
      assertThat(webhook.sent()).isZero();
    }
  }

  @Test
  void refusesRulesThatMeanNothing() {
    assertThatThrownBy(() -> AlertRules.read(Documents.parse("f", "{webhook: 'http://h/'}")))
        .hasMessageContaining("f:1:1")
        .hasMessageContaining("expected one of saturated");
    assertThatThrownBy(() -> AlertRules.read(Documents.parse("f", "{saturated: soon}")))
        .hasMessageContaining("soon");
    assertThatThrownBy(
            () -> AlertRules.read(Documents.parse("f", "{saturated: 1 min, webhook: 'file:///x'}")))
        .hasMessageContaining("expected an address such as");
    assertThatThrownBy(() -> AlertRules.read(Documents.parse("f", "{saturatd: 1 min}")))
        .hasMessageContaining("saturated");
    assertThat(AlertRules.read(null)).isEqualTo(AlertRules.NONE);
  }
}
