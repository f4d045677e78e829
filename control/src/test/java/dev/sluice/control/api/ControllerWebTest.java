package dev.sluice.control.api;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.command.JsonLine;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.Documents;
import dev.sluice.web.OwnerToken;
import dev.sluice.web.SluiceWeb;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole controllers on one database, asked over HTTP. */
class ControllerWebTest {
  private static final InetSocketAddress ANYWHERE =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

  @TempDir private Path directory;

  private ControllerConfiguration configuration(String name) throws IOException {
    Path file = directory.resolve(name + ".yaml");
    Files.writeString(
        file, "{listen: '127.0.0.1:0', state: " + name + ", store: shared.db, period: 200 ms}");
    return ControllerConfiguration.read(file);
  }

  private static DocumentMap ask(
      SluiceWeb web, String method, String path, String body, String token) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(web.url() + path))
                  .method(method, HttpRequest.BodyPublishers.ofString(body))
                  .header("Authorization", "Bearer " + token)
                  .header("Content-Type", "application/json")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
      return Documents.parse(path, answer.body()).openMap();
    }
  }

  @Test
  void whatIsAppliedAtOneHoldsAtTheOtherWhoeverLeads() throws Exception {
    ControllerConfiguration firstOne = configuration("first");
    ControllerConfiguration secondOne = configuration("second");
    ControllerProcess second = new ControllerProcess(secondOne);
    try (SluiceWeb secondWeb = ControllerWeb.start(second, secondOne, ANYWHERE)) {
      String secondToken = OwnerToken.in(secondOne.state());
      await("the second leads", () -> leads(secondWeb, secondToken));
      try (ControllerProcess first = new ControllerProcess(firstOne);
          SluiceWeb firstWeb = ControllerWeb.start(first, firstOne, ANYWHERE)) {
        String firstToken = OwnerToken.in(firstOne.state());
        assertThat(leads(firstWeb, firstToken)).isFalse();
        assertThat(ask(firstWeb, "GET", "healthz", "", firstToken).required("healthy").bool())
            .as("one that does not lead is well")
            .isTrue();
        DocumentMap outcome =
            ask(
                firstWeb,
                "POST",
                "api/v1/documents",
                JsonLine.object(json ->
                    json.writeStringProperty(
                        "content", "resources: [{operations: metadata, max: 7 kops/s}]")),
                firstToken);
        assertThat(outcome.required("version").text()).isEqualTo("1");
        await(
            "the leader divides it",
            () ->
                second.controller().status().resources().stream()
                    .anyMatch(resource -> resource.maximumPerSecond() == 7_000));
        assertThat(
                ask(secondWeb, "GET", "api/v1/document", "", secondToken).required("author").text())
            .isEqualTo("owner");
        second.close();
        assertThatThrownBy(() -> ask(secondWeb, "GET", "healthz", "", secondToken))
            .as("one that has ended is not")
            .hasMessageContaining("503");
        await("the first leads", () -> leads(firstWeb, firstToken));
        assertThat(ask(firstWeb, "GET", "api/v1/status", "", firstToken).required("epoch").text())
            .isEqualTo("2");
      }
    } finally {
      second.close();
    }
  }

  private static boolean leads(SluiceWeb web, String token) {
    try {
      return ask(web, "GET", "api/v1/status", "", token).required("leads").bool();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void otherMachinesAreNotAnsweredWithoutKeys() throws Exception {
    ControllerConfiguration only = configuration("only");
    try (ControllerProcess process = new ControllerProcess(only)) {
      assertThatThrownBy(() ->
              ControllerWeb.start(
                  process, only, new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("./sluice keys init");
    }
  }
}
