package dev.sluice.web.api;

import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * HTTP as one more way to give the commands of a local socket; docs/dashboard.md lists them. To
 * stop a program is for whoever may use its socket, and has no route.
 */
public final class CommandRoutes {
  private static final String ERROR = "{\"error\":";
  private static final int JOBS_SHOWN = 20;
  private static final int JOBS_SHOWN_MAX = 1_000;

  private final RequestHandler commands;
  private final AuditedCommands changes;
  private final Changing.Means means;

  /**
   * Routes to commands; those that change something are noted down.
   *
   * @param means what whoever asks is told to change things by
   */
  public CommandRoutes(RequestHandler commands, AuditedCommands changes, Changing.Means means) {
    this.commands = commands;
    this.changes = changes;
    this.means = means;
  }

  /** Adds all of them. */
  public void addTo(Routes routes) {
    routes.add(HttpMethod.GET, "/api/v1/me", Role.READ, this::me);
    routes.add(HttpMethod.GET, "/api/v1/status", Role.READ, this::status);
    routes.add(
        HttpMethod.GET,
        "/api/v1/jobs/{id}/explain",
        Role.READ,
        request -> explained(request.parameter("id")));
    routes.add(
        HttpMethod.GET,
        "/api/v1/rules",
        Role.READ,
        _ -> asked(CommandLines.of("rules", Map.of("action", "show"))));
    routes.add(
        HttpMethod.POST,
        "/api/v1/policy",
        Role.OPERATE,
        request -> changed(request, "policy", Map.of(), List.of("name", "settings")));
    routes.add(
        HttpMethod.POST,
        "/api/v1/observe",
        Role.OPERATE,
        request -> changed(request, "observe", Map.of(), List.of("only")));
    routes.add(
        HttpMethod.PUT,
        "/api/v1/jobs/{id}",
        Role.OPERATE,
        request ->
            changed(
                request,
                "job",
                Map.of("job", request.parameter("id")),
                List.of("weight", "limit", "priority", "phase")));
    routes.add(HttpMethod.DELETE, "/api/v1/jobs/{id}", Role.OPERATE, this::cleared);
    routes.add(
        HttpMethod.POST,
        "/api/v1/reload",
        Role.ADMIN,
        request -> changed(request, "reload", Map.of(), List.of()));
    routes.add(
        HttpMethod.GET, "/api/v1/audit", Role.READ, _ -> WebAnswer.json(changes.trail().json()));
    routes.add(HttpMethod.POST, "/api/v1/audit/{id}/undo", Role.OPERATE, this::undone);
  }

  private WebAnswer me(WebRequest request) {
    return WebAnswer.json(
        JsonLine.object(json -> {
          json.writeStringProperty("who", request.caller().who());
          json.writeStringProperty("role", request.caller().role().name().toLowerCase(Locale.ROOT));
          json.writeStringProperty("changes", means.text());
        }));
  }

  private WebAnswer status(WebRequest request) {
    long jobs = request.whole("jobs", JOBS_SHOWN, 0, JOBS_SHOWN_MAX);
    return asked(
        JsonLine.object(json -> {
          json.writeStringProperty("command", "status");
          json.writeNumberProperty("jobs", jobs);
        }));
  }

  private WebAnswer explained(String job) {
    String line = commands.reply(CommandLines.of("explain", Map.of("job", job))).line();
    return WebAnswer.json(line.startsWith(ERROR) ? 404 : 200, line);
  }

  private WebAnswer asked(String line) {
    return answer(commands.reply(line).line());
  }

  private WebAnswer changed(
      WebRequest request, String command, Map<String, String> texts, List<String> known) {
    String line = CommandLines.of(command, texts, request.body(), known);
    return answer(changes.obey(line, request.caller().who()));
  }

  private WebAnswer cleared(WebRequest request) {
    String line =
        JsonLine.object(json -> {
          json.writeStringProperty("command", "job");
          json.writeStringProperty("job", request.parameter("id"));
          json.writeBooleanProperty("clear", true);
        });
    return answer(changes.obey(line, request.caller().who()));
  }

  private WebAnswer undone(WebRequest request) {
    long id;
    try {
      id = Long.parseLong(request.parameter("id"));
    } catch (NumberFormatException e) {
      throw new RefusedException(404, "there is no such change");
    }
    return answer(changes.undo(id, request.caller().who()));
  }

  private static WebAnswer answer(String line) {
    return WebAnswer.json(line.startsWith(ERROR) ? 400 : 200, line);
  }
}
