package dev.sluice.control.controller;

import dev.sluice.access.Refusals;
import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.control.leader.Standing;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.document.DocumentException;
import dev.sluice.document.Documents;
import java.util.List;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;

/**
 * Answers what is asked of a controller, each request one JSON object with a key {@code command}.
 */
public final class ControllerCommands implements RequestHandler {
  private static final List<String> COMMANDS = List.of("status", "stop");

  private final Controller controller;
  private final Supplier<List<String>> problems;
  private final Runnable stop;

  /**
   * Commands to a controller.
   *
   * @param problems what somebody should look into besides what its status says, in words
   */
  public ControllerCommands(Controller controller, Supplier<List<String>> problems, Runnable stop) {
    this.controller = controller;
    this.problems = problems;
    this.stop = stop;
  }

  @Override
  public Reply reply(String request) {
    try {
      String command =
          Documents.parse("request", request).map("command").required("command").oneOf(COMMANDS);
      return command.equals("stop")
          ? new Reply(JsonLine.object(json -> json.writeBooleanProperty("stopping", true)), stop)
          : Reply.of(status());
    } catch (DocumentException | IllegalStateException e) {
      return Reply.of(JsonLine.error(String.valueOf(e.getMessage())));
    }
  }

  private String status() {
    ControllerStatus status = controller.status();
    return JsonLine.object(json -> {
      write(status, json);
      json.writeArrayPropertyStart("problems");
      problems.get().forEach(json::writeString);
      json.writeEndArray();
      json.writeArrayPropertyStart("refusals");
      for (Refusals.Recent refusal : controller.refusals().recent(System.nanoTime())) {
        json.writeStartObject();
        json.writeStringProperty("kind", refusal.kind().text());
        json.writeStringProperty("who", refusal.who());
        json.writeStringProperty("why", refusal.why());
        json.writeNumberProperty("times", refusal.times());
        json.writeNumberProperty("ago-millis", refusal.agoNanos() / 1_000_000);
        json.writeEndObject();
      }
      json.writeEndArray();
    });
  }

  /** The status as JSON text. */
  public static String status(ControllerStatus status) {
    return JsonLine.object(json -> write(status, json));
  }

  private static void write(ControllerStatus status, JsonGenerator json) {
    switch (status.standing()) {
      case Standing.Leads leads -> {
        json.writeBooleanProperty("leads", true);
        json.writeNumberProperty("epoch", leads.epoch());
      }
      case Standing.Follows follows -> {
        json.writeBooleanProperty("leads", false);
        json.writeStringProperty("reason", follows.reason());
      }
    }
    json.writeNumberProperty("cycles", status.cycles());
    if (status.problem() != null) {
      json.writeStringProperty("problem", status.problem());
    }
    json.writeArrayPropertyStart("resources");
    for (ControllerStatus.ResourceState resource : status.resources()) {
      json.writeStartObject();
      key(json, resource.key());
      json.writeStringProperty("algorithm", resource.algorithm());
      json.writeNumberProperty("maximum", resource.maximumPerSecond());
      json.writeNumberProperty("used", resource.usedPerSecond());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("members");
    for (ControllerStatus.Member member : status.members()) {
      json.writeStartObject();
      json.writeStringProperty("name", member.name());
      json.writeStringProperty("kind", member.kind().text());
      json.writeStringProperty("host", member.host());
      json.writeNumberProperty("agents", member.agents());
      json.writeNumberProperty("jobs", member.jobs());
      json.writeNumberProperty("silent-millis", member.silentNanos() / 1_000_000);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("jobs");
    status.jobs().forEach(job -> write(job, json));
    json.writeEndArray();
    ControllerStatus.Gateways gateways = status.gateways();
    json.writeArrayPropertyStart("targets");
    if (gateways != null) {
      gateways.targets().forEach(target -> write(target, gateways.policy(), json));
    }
    json.writeEndArray();
    if (gateways == null) {
      json.writeNullProperty("gateways");
    } else {
      write(gateways.plane(), json);
    }
  }

  private static void write(TargetPlane.State plane, JsonGenerator json) {
    json.writeObjectPropertyStart("gateways");
    json.writeStringProperty("policy", plane.policy());
    json.writeArrayPropertyStart("connected");
    plane.gateways().forEach(json::writeString);
    json.writeEndArray();
    json.writeNumberProperty("targets", plane.targets());
    json.writeNumberProperty("decisions", plane.decisions());
    if (plane.trouble().isEmpty()) {
      json.writeNullProperty("trouble");
    } else {
      json.writeStringProperty("trouble", plane.trouble());
    }
    json.writeStringProperty("summary", plane.summary());
    json.writeEndObject();
  }

  private static void write(ControllerStatus.TargetState state, String policy, JsonGenerator json) {
    Target target = state.target();
    json.writeStartObject();
    json.writeStringProperty("name", target.name());
    json.writeStringProperty("counted", target.unit().tokensPerByte() > 0 ? "bytes" : "operations");
    json.writeStringProperty("algorithm", policy);
    if (target.tokensPerSecond() < Rate.TOKENS_PER_SECOND_MAX) {
      json.writeNumberProperty("maximum", target.tokensPerSecond());
    }
    json.writeNumberProperty("used", Math.round(state.usedTokensPerSecond()));
    json.writeNumberProperty("queued", state.queued());
    json.writeNumberProperty("in-service", state.inService());
    json.writeNumberProperty("jobs", state.jobs().size());
    json.writeEndObject();
  }

  private static void write(ControllerStatus.JobState job, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("job", job.job());
    json.writeStringProperty("user", job.user());
    json.writeNumberProperty("nodes", job.nodes());
    json.writeNumberProperty("processes", job.processes());
    json.writeArrayPropertyStart("rates");
    for (ControllerStatus.JobRate rate : job.rates()) {
      json.writeStartObject();
      key(json, rate.key());
      json.writeNumberProperty("used", rate.usedPerSecond());
      if (rate.allowedPerSecond() >= 0) {
        json.writeNumberProperty("allowed", rate.allowedPerSecond());
      }
      if (rate.demandPerSecond() >= 0) {
        json.writeNumberProperty("demand", rate.demandPerSecond());
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void key(JsonGenerator json, LimitKey key) {
    json.writeStringProperty("scope", key.scope());
    json.writeStringProperty("counted", key.counted() == Counted.BYTES ? "bytes" : "operations");
  }
}
