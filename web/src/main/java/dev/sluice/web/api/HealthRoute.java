package dev.sluice.web.api;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Says at {@code /healthz} whether a program is well: 200 or 503, to anybody, so that a load
 * balancer needs no token. What is wrong is told only to who is known.
 */
public final class HealthRoute {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final long PATIENCE_SECONDS = 30;
  private static final long PATIENCE_SECONDS_MAX = 86_400;

  private final RequestHandler commands;

  /**
   * @param commands of a program that knows the command {@code health}
   */
  public HealthRoute(RequestHandler commands) {
    this.commands = commands;
  }

  /** Adds this route, and then others. */
  public Consumer<Routes> and(Consumer<Routes> others) {
    Consumer<Routes> own = routes -> routes.addForAnybody(HttpMethod.GET, "/healthz", this::answer);
    return own.andThen(others);
  }

  private WebAnswer answer(WebRequest request) {
    long seconds = request.whole("patience", PATIENCE_SECONDS, 1, PATIENCE_SECONDS_MAX);
    String line =
        commands
            .reply(
                JsonLine.object(json -> {
                  json.writeStringProperty("command", "health");
                  json.writeNumberProperty("patience_ms", 1_000 * seconds);
                }))
            .line();
    boolean healthy = isHealthy(line);
    int status = healthy ? 200 : 503;
    return request.caller().isKnown()
        ? WebAnswer.json(status, line)
        : WebAnswer.text(status, TEXT, healthy ? "healthy\n" : "sick\n");
  }

  private static boolean isHealthy(String line) {
    try (JsonParser answer = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      answer.nextToken();
      while (answer.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean asked = answer.currentName().equals("healthy");
        JsonToken value = answer.nextToken();
        if (asked) {
          return value == JsonToken.VALUE_TRUE;
        }
        answer.skipChildren();
      }
      return false;
    } catch (JacksonException e) {
      return false;
    }
  }
}
