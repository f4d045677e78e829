package dev.sluice.control.api;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;

/**
 * Answers what a dashboard, metrics and the HTTP interface ask of a controller, in the form in
 * which a gateway would: each request one JSON object with a key {@code command}, each answer one
 * JSON object; a request that cannot be met is answered with an {@code error} that says why.
 */
public final class DashboardCommands implements RequestHandler {
  private static final System.Logger LOG = System.getLogger(DashboardCommands.class.getName());
  private static final int JOBS_SHOWN = 20;
  private static final int JOBS_SHOWN_MAX = 1_000;
  private static final List<String> COMMANDS = List.of("status", "explain", "health");

  private final Supplier<ControllerStatus> status;
  private final Supplier<ControllerFacts> facts;

  /**
   * Commands to a controller.
   *
   * @param facts what the status of its loop does not know
   */
  public DashboardCommands(Supplier<ControllerStatus> status, Supplier<ControllerFacts> facts) {
    this.status = status;
    this.facts = facts;
  }

  @Override
  public Reply reply(String request) {
    try {
      DocumentNode document = Documents.parse("request", request);
      String command = document.openMap().required("command").text();
      if (!COMMANDS.contains(command)) {
        return Reply.of(
            JsonLine.error(
                "a controller has no command \""
                    + command
                    + "\": what it holds everybody to is in its document; see ./sluice limits"
                    + " --help"));
      }
      return Reply.of(JsonLine.object(json -> obey(command, document, json)));
    } catch (DocumentException | IllegalArgumentException | IllegalStateException e) {
      // The last is a controller that ends, or is too busy to answer.
      return Reply.of(JsonLine.error(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a command failed", e);
      return Reply.of(JsonLine.error("this is a defect in Sluice: " + e));
    }
  }

  private void obey(String command, DocumentNode request, JsonGenerator json) {
    if (command.equals("status")) {
      DocumentNode jobs = request.map("command", "jobs", "figures").optional("jobs");
      int max = jobs == null ? JOBS_SHOWN : (int) jobs.whole(0, JOBS_SHOWN_MAX);
      ControllerStatusJson.write(status.get(), facts.get(), max, json);
    } else if (command.equals("health")) {
      request.map("command", "patience_ms");
      health(status.get(), json);
    } else {
      explain(request.map("command", "job"), json);
    }
  }

  /**
   * It is well when its loop answers, and decides where it is to: one that does not lead, or whose
   * database is away, waits for better times, and a restart would not bring them.
   */
  private static void health(ControllerStatus now, JsonGenerator json) {
    ControllerStatus.Gateways gateways = now.gateways();
    String trouble = gateways == null ? null : gateways.trouble();
    json.writeBooleanProperty("healthy", trouble == null);
    json.writeArrayPropertyStart("findings");
    if (gateways != null && trouble != null) {
      json.writeStartObject();
      json.writeStringProperty("kind", "does-not-decide");
      json.writeStringProperty("about", gateways.policy());
      json.writeStringProperty("words", trouble);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void explain(DocumentMap request, JsonGenerator json) {
    String job = request.required("job").text();
    ControllerStatus now = status.get();
    List<ControllerStatus.JobState> onNodes =
        now.jobs().stream().filter(state -> state.job().equals(job)).toList();
    List<Consumer<JsonGenerator>> onTargets = onTargets(now, job);
    if (onNodes.isEmpty() && onTargets.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing is known of job \"" + job + "\": it is on no node or gateway that reports");
    }
    json.writeArrayPropertyStart("explanations");
    for (ControllerStatus.JobState found : onNodes) {
      for (ControllerStatus.JobRate rate : found.rates()) {
        ControllerStatusJson.explanation(now, found, rate, facts.get(), json);
      }
    }
    onTargets.forEach(explanation -> explanation.accept(json));
    json.writeEndArray();
  }

  /** Writers of an explanation for each target of a gateway that the job is on. */
  private static List<Consumer<JsonGenerator>> onTargets(ControllerStatus now, String job) {
    List<Consumer<JsonGenerator>> found = new ArrayList<>();
    ControllerStatus.Gateways gateways = now.gateways();
    if (gateways != null) {
      for (ControllerStatus.TargetState target : gateways.targets()) {
        for (ControllerStatus.TargetJob one : target.jobs()) {
          if (one.seen().job().equals(job)) {
            found.add(json -> ControllerStatusJson.explanation(now, gateways, target, one, json));
          }
        }
      }
    }
    return found;
  }
}
