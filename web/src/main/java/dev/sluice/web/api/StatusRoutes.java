package dev.sluice.web.api;

import dev.sluice.access.Role;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.util.function.BiConsumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Parts of a status, for programs that want only these. */
public final class StatusRoutes {
  private static final int JOBS_SHOWN = 100;
  private static final int JOBS_SHOWN_MAX = 1_000;

  private final RequestHandler commands;

  public StatusRoutes(RequestHandler commands) {
    this.commands = commands;
  }

  /** Adds all of them. */
  public void addTo(Routes routes) {
    routes.add(HttpMethod.GET, "/api/v1/targets", Role.READ, _ -> targets());
    routes.add(HttpMethod.GET, "/api/v1/jobs", Role.READ, this::jobs);
  }

  private WebAnswer targets() {
    return WebAnswer.json(part("targets", 0, (status, json) -> json.copyCurrentStructure(status)));
  }

  private WebAnswer jobs(WebRequest request) {
    long max = request.whole("max", JOBS_SHOWN, 0, JOBS_SHOWN_MAX);
    return WebAnswer.json(part("jobs", max, StatusRoutes::copyJobs));
  }

  /** Copies what a status has under {@code targets} to an object of its own. */
  private String part(String name, long jobs, BiConsumer<JsonParser, JsonGenerator> copy) {
    String line =
        commands
            .reply(
                JsonLine.object(json -> {
                  json.writeStringProperty("command", "status");
                  json.writeNumberProperty("jobs", jobs);
                }))
            .line();
    try (JsonParser status = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      status.nextToken();
      while (status.nextToken() == JsonToken.PROPERTY_NAME) {
        boolean wanted = status.currentName().equals("targets");
        status.nextToken();
        if (wanted) {
          return JsonLine.object(json -> {
            json.writeName(name);
            copy.accept(status, json);
          });
        }
        status.skipChildren();
      }
    } catch (JacksonException e) {
      throw new RefusedException(503, "there is no status: " + e.getOriginalMessage());
    }
    throw new RefusedException(503, "there is no status");
  }

  /** All jobs of all targets as one list, each with the name of its target. */
  private static void copyJobs(JsonParser targets, JsonGenerator json) {
    json.writeStartArray();
    while (targets.nextToken() == JsonToken.START_OBJECT) {
      String target = "";
      while (targets.nextToken() == JsonToken.PROPERTY_NAME) {
        String property = targets.currentName();
        targets.nextToken();
        if (property.equals("name")) {
          target = targets.getString();
        } else if (property.equals("jobs")) {
          copyJobsOf(target, targets, json);
        } else {
          targets.skipChildren();
        }
      }
    }
    json.writeEndArray();
  }

  private static void copyJobsOf(String target, JsonParser jobs, JsonGenerator json) {
    while (jobs.nextToken() == JsonToken.START_OBJECT) {
      json.writeStartObject();
      json.writeStringProperty("target", target);
      while (jobs.nextToken() == JsonToken.PROPERTY_NAME) {
        json.writeName(jobs.currentName());
        jobs.nextToken();
        json.copyCurrentStructure(jobs);
      }
      json.writeEndObject();
    }
  }
}
