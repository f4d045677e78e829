package dev.sluice.stage.agent;

import dev.sluice.access.Audit;
import dev.sluice.command.JsonLine;
import dev.sluice.command.LinkStatus;
import dev.sluice.command.RequestHandler;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.document.DocumentException;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageClock;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Answers what is asked of an agent, each request one JSON object with a key {@code command}.
 * Whatever comes in, one JSON object goes out; a request that cannot be met is answered with an
 * {@code error} that says why.
 */
public final class AgentCommands implements RequestHandler {
  private static final System.Logger LOG = System.getLogger(AgentCommands.class.getName());
  private static final List<String> COMMANDS =
      List.of("status", "metrics", "limit", "add", "remove", "stop");

  private final StageAgent agent;
  private final Supplier<@Nullable LinkStatus> controller;
  private final Audit audit;
  private final Runnable stop;

  /**
   * Commands to an agent.
   *
   * @param audit where it is noted down who changes limits
   * @param controller asks how the link to a controller is; says null where there is none
   * @param stop what ends the program that the agent runs in
   */
  public AgentCommands(
      StageAgent agent, Audit audit, Supplier<@Nullable LinkStatus> controller, Runnable stop) {
    this.agent = agent;
    this.audit = audit;
    this.controller = controller;
    this.stop = stop;
  }

  @Override
  public Reply reply(String request) {
    return reply(request, "somebody");
  }

  @Override
  public Reply reply(String request, String who) {
    try {
      DocumentNode document = Documents.parse("request", request);
      String command = document.openMap().required("command").oneOf(COMMANDS);
      String line = JsonLine.object(json -> obey(command, document, who, json));
      return new Reply(line, command.equals("stop") ? stop : () -> {});
    } catch (DocumentException
        | IllegalArgumentException
        | IllegalStateException
        | UncheckedIOException e) {
      return Reply.of(JsonLine.error(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a command failed", e);
      return Reply.of(JsonLine.error("this is a defect in Sluice: " + e));
    }
  }

  private void obey(String command, DocumentNode request, String who, JsonGenerator json) {
    try {
      switch (command) {
        case "status" -> status(json);
        case "metrics" -> json.writeStringProperty("text", UsageText.of(agent.jobs()));
        case "limit" -> limit(request.map("command", "job", "limits"), who);
        case "add" -> add(request.map("command", "job", "user", "mounts", "limits"), json);
        case "remove" -> remove(request.map("command", "job"));
        case "stop" -> json.writeBooleanProperty("stopping", true);
        default -> throw new IllegalStateException("a command that nobody obeys");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void limit(DocumentMap request, String who) {
    StagedJob job = job(request);
    DocumentNode limits = request.required("limits");
    job.change(limits(limits), StageClock.nowNanos());
    audit.note(who, "node", "limits of job " + job.id() + ": " + limits.text());
  }

  private void add(DocumentMap request, JsonGenerator json) throws IOException {
    JobId job = jobId(request);
    int user = Math.toIntExact(request.required("user").whole(0, Integer.MAX_VALUE));
    List<Path> mounts = new ArrayList<>();
    for (DocumentNode mount : request.required("mounts").list()) {
      mounts.add(Path.of(mount.text()));
    }
    String limits = request.required("limits").text();
    StagedJob staged =
        agent.add(job, user, mounts, limits.isEmpty() ? List.of() : LimitChange.parse(limits));
    json.writeStringProperty("directory", staged.directory().toString());
    json.writeStringProperty("entry", StageDirectory.entry(staged.directory()));
  }

  private void remove(DocumentMap request) throws IOException {
    JobId job = jobId(request);
    if (!agent.remove(job)) {
      throw new IllegalArgumentException(unknown(job));
    }
  }

  private StagedJob job(DocumentMap request) {
    JobId job = jobId(request);
    return agent.job(job).orElseThrow(() -> new IllegalArgumentException(unknown(job)));
  }

  private static JobId jobId(DocumentMap request) {
    return JobId.of(request.required("job").text());
  }

  private String unknown(JobId job) {
    return "job "
        + job
        + ": not known here; expected one of "
        + agent.jobs().stream().map(StagedJob::id).toList();
  }

  private static List<LimitChange> limits(DocumentNode node) {
    return LimitChange.parse(node.text());
  }

  private void status(JsonGenerator json) {
    LinkStatus link = controller.get();
    if (link == null) {
      json.writeNullProperty("controller");
    } else {
      link.write(json, System.nanoTime());
    }
    json.writeArrayPropertyStart("jobs");
    for (StagedJob job : agent.jobs()) {
      json.writeStartObject();
      json.writeStringProperty("job", job.id().toString());
      json.writeStringProperty("directory", job.directory().toString());
      processes(json, job);
      json.writeArrayPropertyStart("mounts");
      job.mounts().forEach(mount -> json.writeString(mount.toString()));
      json.writeEndArray();
      json.writeArrayPropertyStart("limits");
      job.limits().forEach((key, perSecond) -> limit(json, key, perSecond));
      json.writeEndArray();
      json.writeArrayPropertyStart("operations");
      for (Map.Entry<Operation, OperationUsage> entry : usageOf(job).entrySet()) {
        if (!entry.getValue().equals(OperationUsage.NOTHING)) {
          usage(json, entry.getKey(), entry.getValue());
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void processes(JsonGenerator json, StagedJob job) {
    StagedJob.Processes seen = job.seenProcesses();
    json.writeNumberProperty("attached", attachedOf(job));
    json.writeNumberProperty("held", seen.held());
    json.writeNumberProperty("not-held", seen.notHeld());
    json.writeArrayPropertyStart("not-held-names");
    seen.names().forEach(json::writeString);
    json.writeEndArray();
  }

  /** What a job has done; nothing where its own files cannot be read, which hides no other job. */
  private static Map<Operation, OperationUsage> usageOf(StagedJob job) {
    try {
      return job.usage();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "job " + job.id() + ": " + e);
      return Map.of();
    }
  }

  private static long attachedOf(StagedJob job) {
    try {
      return job.attached();
    } catch (IOException e) {
      return 0; // As above.
    }
  }

  private static void limit(JsonGenerator json, LimitKey key, double perSecond) {
    json.writeStartObject();
    json.writeStringProperty("scope", key.scope());
    json.writeStringProperty("counted", key.counted() == Counted.BYTES ? "bytes" : "operations");
    if (perSecond == Math.rint(perSecond)) {
      json.writeNumberProperty("per-second", (long) perSecond);
    } else {
      json.writeNumberProperty("per-second", perSecond);
    }
    json.writeEndObject();
  }

  private static void usage(JsonGenerator json, Operation operation, OperationUsage usage) {
    json.writeStartObject();
    json.writeStringProperty("operation", operation.text());
    json.writeNumberProperty("calls", usage.calls());
    json.writeNumberProperty("bytes", usage.bytes());
    json.writeNumberProperty("waits", usage.waits());
    json.writeNumberProperty("waited-nanos", usage.waitedNanos());
    json.writeEndObject();
  }
}
