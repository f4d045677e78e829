package dev.sluice.gateway.admin;

import dev.sluice.command.JsonLine;
import dev.sluice.command.RequestHandler;
import dev.sluice.core.classify.Rule;
import dev.sluice.core.classify.RuleSet;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.document.LimitsReader;
import dev.sluice.gateway.config.ConfigurationReader;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.JobPriorities;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Answers requests, each one JSON object with a key {@code command}. Whatever comes in, one JSON
 * object goes out; a request that cannot be met is answered with an {@code error} that says why.
 */
public final class CommandHandler implements RequestHandler {
  private static final System.Logger LOG = System.getLogger(CommandHandler.class.getName());
  private static final int JOBS_SHOWN = 20;
  private static final int JOBS_SHOWN_MAX = 1_000;
  private static final List<String> COMMANDS =
      List.of(
          "status",
          "health",
          "demand",
          "explain",
          "policy",
          "job",
          "rules",
          "reload",
          "observe",
          "failover",
          "stop");

  /** Whoever is more patient does not want to know. */
  private static final Duration PATIENCE_MAX = Duration.ofDays(1);

  /** Who asks where nobody says. */
  private static final String SOMEBODY = "somebody";

  private final Administration gateway;

  public CommandHandler(Administration gateway) {
    this.gateway = gateway;
  }

  @Override
  public Reply reply(String request) {
    return reply(request, SOMEBODY);
  }

  @Override
  public Reply reply(String request, String who) {
    try {
      DocumentNode document = Documents.parse("request", request);
      String command = document.openMap().required("command").oneOf(COMMANDS);
      if (command.equals("stop")) {
        note(who, "stop");
        // Only when the answer is out: a gateway that stops closes this very connection.
        return new Reply(
            JsonLine.object(json -> json.writeBooleanProperty("stopping", true)), gateway::stop);
      }
      if (command.equals("failover")) {
        return failover(document.map("command", "action"), who);
      }
      return Reply.of(JsonLine.object(json -> obey(command, document, who, json)));
    } catch (DocumentException | IllegalArgumentException e) {
      return Reply.of(JsonLine.error(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a command failed", e);
      return Reply.of(JsonLine.error("this is a defect in Sluice: " + e));
    }
  }

  private void obey(String command, DocumentNode request, String who, JsonGenerator json) {
    switch (command) {
      case "status" -> status(request.map("command", "jobs", "figures"), json);
      case "health" -> health(request.map("command", "patience_ms"), json);
      case "demand" -> demand(request.map("command", "since_ns"), json);
      case "explain" -> explain(request.map("command", "job"), json);
      case "policy" -> policy(request.map("command", "name", "settings"), who, json);
      case "job" ->
          job(
              request.map("command", "job", "weight", "limit", "priority", "phase", "clear"),
              who,
              json);
      case "rules" -> rules(request.map("command", "action", "file"), who, json);
      case "reload" -> reload(who, json);
      case "observe" -> observe(request.map("command", "only"), who, json);
      default -> throw new IllegalStateException("a command that nobody obeys");
    }
  }

  private void status(DocumentMap request, JsonGenerator json) {
    DocumentNode jobs = request.optional("jobs");
    DocumentNode figures = request.optional("figures");
    StatusJson.write(
        gateway.status(),
        jobs == null ? JOBS_SHOWN : (int) jobs.whole(0, JOBS_SHOWN_MAX),
        figures == null ? 0 : (int) figures.whole(0, JOBS_SHOWN_MAX),
        json);
  }

  private void health(DocumentMap request, JsonGenerator json) {
    DocumentNode patience = request.optional("patience_ms");
    List<HealthFinding> findings =
        gateway.health(
            patience == null
                ? HealthWatch.PATIENCE
                : Duration.ofMillis(patience.whole(1, PATIENCE_MAX.toMillis())));
    json.writeBooleanProperty("healthy", findings.isEmpty());
    json.writeArrayPropertyStart("findings");
    for (HealthFinding finding : findings) {
      json.writeStartObject();
      json.writeStringProperty("kind", finding.kind().text());
      json.writeStringProperty("about", finding.about());
      json.writeStringProperty("words", finding.words());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private Reply failover(DocumentMap request, String who) {
    Reply reply = FailoverJson.reply(request, gateway.failover());
    String action = request.required("action").text();
    if (!action.equals("status")) {
      note(who, "failover " + action);
    }
    return reply;
  }

  private void note(String who, String what) {
    gateway.changed(new Administration.Change(who, what));
  }

  /**
   * What changed since the asker looked last; all there is for whoever looks for the first time.
   */
  private void demand(DocumentMap request, JsonGenerator json) {
    DocumentNode since = request.optional("since_ns");
    DemandJson.write(
        gateway.totals(),
        since == null ? Long.MIN_VALUE : since.whole(Long.MIN_VALUE, Long.MAX_VALUE),
        json);
  }

  private void explain(DocumentMap request, JsonGenerator json) {
    JobId job = request.required("job").parsed(JobId::of);
    List<JobExplanation> explanations = gateway.explain(job);
    if (explanations.isEmpty()) {
      throw new IllegalArgumentException(
          "nothing is known of job \"" + job + "\": it was not here in the last minute");
    }
    json.writeArrayPropertyStart("explanations");
    explanations.forEach(explanation -> StatusJson.write(explanation, json));
    json.writeEndArray();
  }

  private void policy(DocumentMap request, String who, JsonGenerator json) {
    DocumentNode name = request.optional("name");
    if (name != null) {
      Map<String, String> settings = new LinkedHashMap<>();
      DocumentNode given = request.optional("settings");
      if (given != null) {
        given.openMap().entries().forEach((key, value) -> settings.put(key, value.text()));
      }
      gateway.decideBy(name.text(), settings);
      note(who, "policy " + name.text() + (settings.isEmpty() ? "" : " " + settings));
    }
    StatusJson.write(gateway.status(), 0, 0, json);
  }

  private void job(DocumentMap request, String who, JsonGenerator json) {
    JobId job = request.required("job").parsed(JobId::of);
    DocumentNode clear = request.optional("clear");
    DocumentNode weight = request.optional("weight");
    DocumentNode limit = request.optional("limit");
    DocumentNode priority = request.optional("priority");
    DocumentNode phase = request.optional("phase");
    if (clear != null && clear.bool()) {
      gateway.clearJob(job);
      note(who, "job " + job + ": settings cleared");
    } else {
      if (weight == null && limit == null && priority == null && phase == null) {
        throw request.error("expected a weight, a limit, a priority or a phase");
      }
      Long phaseTokens = phase == null ? null : phase.parsed(CommandHandler::phase);
      if (priority != null) {
        gateway.prioritise(job, priority.parsed(JobPriorities::parse).priority());
      }
      Long wanted = weight == null ? null : weight.whole(1, JobClaim.NODES_MAX);
      TbfLimit bound = limit == null ? null : limit.parsed(LimitsReader::limit);
      if (wanted != null || bound != null) {
        gateway.setJob(job, wanted, bound);
      }
      if (phaseTokens != null) {
        gateway.hint(job, phaseTokens);
      }
      note(
          who,
          "job "
              + job
              + ":"
              + set(" priority ", priority)
              + set(" weight ", weight)
              + set(" limit ", limit)
              + set(" phase ", phase));
    }
    json.writeStringProperty("job", job.toString());
  }

  /** What a phase comes to: bytes, or operations where a target counts these. */
  private static long phase(String text) {
    long tokens = Quantities.parseBytes(text);
    if (tokens < 1 || tokens > JobClaim.PHASE_MAX) {
      throw new IllegalArgumentException("expected 1 to " + JobClaim.PHASE_MAX);
    }
    return tokens;
  }

  private static String set(String name, @Nullable DocumentNode value) {
    return value == null ? "" : name + value.text();
  }

  private void rules(DocumentMap request, String who, JsonGenerator json) {
    String action = request.required("action").oneOf(List.of("show", "check", "load"));
    RuleSet rules =
        switch (action) {
          case "check" -> checked(request.required("file"));
          case "load" -> gateway.loadRules(file(request.required("file")));
          default -> gateway.rules();
        };
    if (action.equals("load")) {
      note(who, rules.rules().size() + " rules of " + request.required("file").text());
    }
    json.writeNumberProperty("count", rules.rules().size());
    json.writeArrayPropertyStart("rules");
    for (Rule rule : rules.rules()) {
      json.writeStartObject();
      json.writeStringProperty("name", rule.name());
      json.writeStringProperty("match", rule.match().toString());
      json.writeStringProperty("job", rule.job().toString());
      json.writeStringProperty("class", rule.trafficClass());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static RuleSet checked(DocumentNode node) {
    Path file = file(node);
    try {
      return ConfigurationReader.readRules(file);
    } catch (IOException e) {
      throw node.error("cannot be read: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw node.error(String.valueOf(e.getMessage()));
    }
  }

  /** Where the gateway runs is nothing to whoever asks, so a path is whole or nothing. */
  private static Path file(DocumentNode node) {
    Path file;
    try {
      file = Path.of(node.text());
    } catch (InvalidPathException e) {
      throw node.error("expected a path");
    }
    if (!file.isAbsolute()) {
      throw node.error("expected a path that begins with a slash");
    }
    return file;
  }

  private void reload(String who, JsonGenerator json) {
    Administration.Reading reading = gateway.reload();
    if (!reading.changes().isEmpty()) {
      note(who, "configuration read again: " + String.join(", ", reading.changes()));
    }
    writeChanges(reading.changes(), json);
    Administration.Earlier earlier = reading.earlier();
    if (earlier != null) {
      json.writeObjectPropertyStart("earlier");
      json.writeNumberProperty("ago_ms", earlier.agoNanos() / 1_000_000);
      writeChanges(earlier.changes(), json);
      json.writeEndObject();
    }
  }

  private static void writeChanges(List<String> changes, JsonGenerator json) {
    json.writeArrayPropertyStart("changes");
    changes.forEach(json::writeString);
    json.writeEndArray();
  }

  private void observe(DocumentMap request, String who, JsonGenerator json) {
    boolean only = request.required("only").bool();
    gateway.observeOnly(only);
    note(who, only ? "observe-only: nothing is enforced" : "decisions are enforced again");
    StatusJson.write(gateway.status(), 0, 0, json);
  }
}
