package dev.sluice.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Caller;
import dev.sluice.access.Role;
import dev.sluice.command.RequestHandler;
import dev.sluice.web.SluiceWeb;
import dev.sluice.web.SyntheticProgram;
import dev.sluice.web.WebSettings;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.WebAnswer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandRoutesTest {
  private static final String TOKEN = "0123456789abcdef";

  private final SyntheticProgram program =
      new SyntheticProgram(SyntheticProgram.morning(), () -> 1_000_000);
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final RequestHandler commands =
      line -> {
        lines.add(line);
        return program.reply(line);
      };
  private final AuditedCommands changes = new AuditedCommands(commands, InstantSource.system());
  private final HttpClient client = HttpClient.newHttpClient();
  private SluiceWeb web;

  @BeforeEach
  void start() throws IOException {
    web =
        SluiceWeb.start(
            WebSettings.anywhere(),
            AccessTokens.none().with(new Caller("olga", Role.OPERATE), TOKEN),
            new SluiceWeb.Program(
                commands,
                changes,
                List.of(),
                routes ->
                    routes.add(
                        HttpMethod.GET,
                        "/api/v1/further",
                        Role.READ,
                        _ -> WebAnswer.text(200, "text/plain", "a_metric 1\n"))));
  }

  @AfterEach
  void stop() {
    client.close();
    web.close();
  }

  private HttpResponse<String> ask(String method, String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(web.url() + path))
            .header("Authorization", "Bearer " + TOKEN)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void givesTheCommandsOfTheSocket() throws Exception {
    assertThat(ask("GET", "api/v1/status?jobs=1", "").body())
        .contains("48120")
        .doesNotContain("48097");
    assertThat(ask("GET", "api/v1/status?jobs=1001", "").statusCode()).isEqualTo(400);
    assertThat(ask("GET", "api/v1/jobs/48120/explain", "").body()).contains("borrows");
    assertThat(ask("GET", "api/v1/jobs/nobody/explain", "").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "api/v1/me", "").body()).contains("\"operate\"").contains("olga");
    assertThat(ask("GET", "api/v1/further", "").body()).isEqualTo("a_metric 1\n");
    assertThat(ask("POST", "api/v1/reload", "").statusCode()).isEqualTo(403);
    assertThat(ask("GET", "metrics", "").body())
        .contains("sluice_refusals_total{kind=\"http\"} 1\n")
        .contains("sluice_refusals_total{kind=\"job\"} 0\n");
    assertThat(ask("POST", "api/v1/stop", "").statusCode()).isEqualTo(404);
  }

  @Test
  void notesDownWhoChangedWhatAndTakesItBack() throws Exception {
    assertThat(
            ask("POST", "api/v1/policy", "{\"name\":\"gift\",\"settings\":{\"period\":\"5 s\"}}")
                .statusCode())
        .isEqualTo(200);
    assertThat(ask("PUT", "api/v1/jobs/48120", "{\"weight\":3}").statusCode()).isEqualTo(200);
    assertThat(ask("PUT", "api/v1/jobs/48120", "{\"limit\":\"9 MB/s\"}").statusCode())
        .isEqualTo(200);
    assertThat(ask("POST", "api/v1/observe", "{\"only\":true}").statusCode()).isEqualTo(200);
    assertThat(program.set("48120")).isEqualTo(Map.of("weight", "3", "limit", "9 MB/s"));
    assertThat(ask("GET", "api/v1/audit", "").body())
        .contains("\"what\":\"policy gift period=5 s (was adaptbf)\"")
        .contains("\"what\":\"job 48120: limit 9 MB/s (was weight 3)\"")
        .contains("olga");
    assertThat(ask("POST", "api/v1/audit/3/undo", "").statusCode()).isEqualTo(200);
    assertThat(program.set("48120")).isEqualTo(Map.of("weight", "3"));
    assertThat(ask("POST", "api/v1/audit/2/undo", "").statusCode()).isEqualTo(200);
    assertThat(program.set("48120")).isEmpty();
    assertThat(ask("POST", "api/v1/audit/1/undo", "").statusCode()).isEqualTo(200);
    assertThat(program.policy()).isEqualTo("adaptbf");
    assertThat(ask("POST", "api/v1/audit/4/undo", "").statusCode()).isEqualTo(200);
    assertThat(program.observesOnly()).isFalse();
    assertThat(ask("POST", "api/v1/audit/4/undo", "").statusCode()).isEqualTo(400);
    assertThat(ask("POST", "api/v1/audit/99/undo", "").statusCode()).isEqualTo(400);
  }

  @Test
  void clearingCanBeTakenBackToo() throws Exception {
    ask("PUT", "api/v1/jobs/48120", "{\"weight\":3,\"limit\":\"9 MB/s\"}");
    assertThat(ask("DELETE", "api/v1/jobs/48120", "").statusCode()).isEqualTo(200);
    assertThat(program.set("48120")).isEmpty();
    ask("POST", "api/v1/audit/2/undo", "");
    assertThat(program.set("48120")).isEqualTo(Map.of("weight", "3", "limit", "9 MB/s"));
  }

  @Test
  void notesDownChangesByTheCommandLineAndNoQuestions() {
    RequestHandler socket = changes.by("the command line");
    socket.reply("{\"command\":\"status\"}");
    socket.reply("{\"command\":\"observe\",\"only\":true}");
    socket.reply("{\"command\":\"policy\",\"name\":\"static\"}");
    assertThat(changes.trail().json())
        .contains("the command line")
        .contains("observe only")
        .doesNotContain("static");
  }

  @Test
  void nobodySlipsInAnotherCommand() throws Exception {
    List<String> bodies =
        List.of(
            "{\"command\":\"stop\"}",
            "{\"name\":\"gift\",\"name\":\"fair\"}",
            "{\"name\":\"gift\"} {\"command\":\"stop\"}",
            "{\"name\":\"gift\"",
            "[]",
            "7",
            "{\"unknown\":1}");
    for (String body : bodies) {
      assertThat(ask("POST", "api/v1/policy", body).statusCode()).as(body).isEqualTo(400);
    }
    ask("PUT", "api/v1/jobs/a%22%2C%22command%22%3A%22stop", "{\"weight\":1}");
    assertThat(lines).noneMatch(line -> line.startsWith("{\"command\":\"stop\""));
    assertThat(program.policy()).isEqualTo("adaptbf");
    assertThat(program.set("a\",\"command\":\"stop")).isEqualTo(Map.of("weight", "1"));
  }
}
