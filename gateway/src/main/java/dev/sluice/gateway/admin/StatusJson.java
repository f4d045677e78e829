package dev.sluice.gateway.admin;

import dev.sluice.command.LinkStatus;
import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.config.TargetConfiguration;
import dev.sluice.gateway.control.ControlStatus;
import dev.sluice.gateway.control.JobExplanation;
import dev.sluice.gateway.control.JobFigures;
import dev.sluice.gateway.control.LimitOnJob;
import dev.sluice.gateway.nfs4.Nfs4Figures;
import dev.sluice.gateway.nfs4.state.Figures;
import dev.sluice.web.live.LiveStatus.FoundCapacity;
import dev.sluice.web.live.StatusWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** How a gateway is, as JSON; docs/gateway.md describes it. */
final class StatusJson {
  private StatusJson() {}

  /**
   * Writes the properties of a status into an object that is open.
   *
   * @param jobsMax how many jobs of each target are written
   * @param figuresMax with how many of them come the numbers behind the policy's last decision
   */
  static void write(GatewayStatus status, int jobsMax, int figuresMax, JsonGenerator json) {
    ControlStatus control = status.control();
    json.writeStringProperty("policy", control.policy());
    number("period_ms", control.periodNanos() / 1e6, json);
    json.writeObjectPropertyStart("settings");
    control.settings().forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeBooleanProperty("observe_only", control.observesOnly());
    json.writeStringProperty("shares_by", status.shares().text());
    json.writeStringProperty("share_weights", status.shareWeights());
    json.writeStringProperty("listen", status.listen());
    json.writeNumberProperty("nfs_port", status.nfsPort());
    json.writeNumberProperty("mount_port", status.mountPort());
    number("up_s", status.upNanos() / 1e9, json);
    json.writeNumberProperty("connections", status.connections());
    write(status.nfs4(), json);
    json.writeArrayPropertyStart("problems");
    status.problems().forEach(json::writeString);
    json.writeEndArray();
    json.writeStringProperty("job_directory", status.jobs());
    LinkStatus controller = status.controller();
    if (controller == null) {
      json.writeNullProperty("controller");
    } else {
      controller.write(json, System.nanoTime());
    }
    FailoverControl.Turn turn = status.failover();
    if (turn == null) {
      json.writeNullProperty("failover");
    } else {
      json.writeObjectPropertyStart("failover");
      FailoverJson.write(turn, json);
      json.writeEndObject();
      json.writeStringProperty("turn", turn.name() + " serves, turn " + turn.epoch());
    }
    if (status.dashboard() == null) {
      json.writeNullProperty("dashboard");
    } else {
      json.writeStringProperty("dashboard", status.dashboard());
    }
    OverridesJson.write(control.overrides(), status.priorities(), json);
    json.writeArrayPropertyStart("exports");
    status.exports().forEach(export -> write(export, json));
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    for (ControlStatus.TargetStatus target : control.targets()) {
      write(target, configuration(status, target.target().name()), jobsMax, figuresMax, json);
    }
    json.writeEndArray();
  }

  private static void write(@Nullable Nfs4Figures figures, JsonGenerator json) {
    if (figures == null) {
      json.writeNullProperty("nfs4");
      return;
    }
    Figures state = figures.state();
    json.writeObjectPropertyStart("nfs4");
    json.writeNumberProperty("clients", state.clients() - state.courtesy());
    json.writeNumberProperty("late_clients", state.courtesy());
    json.writeNumberProperty("sessions", state.sessions());
    json.writeNumberProperty("slots", figures.slots());
    json.writeNumberProperty("slots_waiting", figures.slotsKept());
    json.writeNumberProperty("open_files", state.opens());
    json.writeNumberProperty("locks", state.lockRanges());
    json.writeNumberProperty("delays", figures.delays());
    json.writeBooleanProperty("grace", figures.isInGrace());
    json.writeEndObject();
  }

  private static TargetConfiguration configuration(GatewayStatus status, String name) {
    return status.targets().stream()
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("a target that nobody configured: " + name));
  }

  private static void write(ExportConfiguration export, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("path", export.path());
    json.writeStringProperty("directory", export.directory().toString());
    json.writeStringProperty("target", export.target());
    json.writeBooleanProperty("read_only", export.readOnly());
    json.writeEndObject();
  }

  private static void write(
      ControlStatus.TargetStatus status,
      TargetConfiguration configured,
      int jobsMax,
      int figuresMax,
      JsonGenerator json) {
    List<ControlStatus.JobStatus> jobs = status.jobs();
    json.writeStartObject();
    json.writeStringProperty("name", status.target().name());
    CapacityBelief belief = status.belief();
    json.writeStringProperty("capacity", capacity(belief, status.target(), configured));
    json.writeNumberProperty("capacity_tokens_per_second", status.target().tokensPerSecond());
    json.writeNumberProperty("tokens_per_operation", status.target().unit().tokensPerOperation());
    json.writeNumberProperty("tokens_per_byte", status.target().unit().tokensPerByte());
    StatusWriter.write(
        belief == null
            ? null
            : FoundCapacity.of(belief, Quantities.Counted.BYTES, System.nanoTime()),
        json);
    json.writeNumberProperty("decisions", status.decisions());
    if (status.explanation() != null && figuresMax > 0) {
      json.writeStringProperty("summary", status.explanation().summary());
    }
    if (status.trouble() == null) {
      json.writeNullProperty("trouble");
    } else {
      json.writeStringProperty("trouble", status.trouble());
    }
    json.writeArrayPropertyStart("goals");
    status.goals().forEach(goal -> write(goal, json));
    json.writeEndArray();
    json.writeNumberProperty("queued", status.queue().queued());
    json.writeNumberProperty("in_service", status.queue().inService());
    double bytes = 0;
    double operations = 0;
    for (ControlStatus.JobStatus job : jobs) {
      bytes += job.figures().readBytesPerSecond() + job.figures().writtenBytesPerSecond();
      operations += job.figures().operationsPerSecond();
    }
    number("bytes_per_second", bytes, json);
    number("operations_per_second", operations, json);
    json.writeNumberProperty("busy_jobs", jobs.size());
    json.writeArrayPropertyStart("jobs");
    Map<JobId, Explanation.Reason> reasons =
        reasons(status.explanation(), jobs.subList(0, Math.min(jobs.size(), figuresMax)));
    for (ControlStatus.JobStatus job : jobs.subList(0, Math.min(jobs.size(), jobsMax))) {
      write(job, status.target(), reasons.get(job.figures().job()), json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String capacity(
      @Nullable CapacityBelief belief, Target target, TargetConfiguration configured) {
    if (belief == null) {
      return configured.capacityText();
    }
    double bytes = (double) target.tokensPerSecond();
    return belief.known()
        ? Quantities.formatRate(bytes, Quantities.Counted.BYTES) + " (auto)"
        : "not known yet (auto)";
  }

  private static void write(ControlStatus.GoalStatus status, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty(status.goal().who().text(), status.goal().name());
    number("p99_ms", status.goal().latencyNanos() / 1e6, json);
    number("others_part", status.othersPart(), json);
    json.writeNumberProperty("seconds", status.secondsSeen());
    json.writeNumberProperty("seconds_met", status.secondsMet());
    json.writeStringProperty("words", status.words());
    json.writeEndObject();
  }

  private static Map<JobId, Explanation.Reason> reasons(
      @Nullable Explanation explanation, List<ControlStatus.JobStatus> jobs) {
    if (explanation == null || jobs.isEmpty()) {
      return Map.of();
    }
    Set<JobId> wanted = new HashSet<>();
    jobs.forEach(job -> wanted.add(job.figures().job()));
    Map<JobId, Explanation.Reason> reasons = new HashMap<>();
    for (Explanation.Reason reason : explanation.reasons()) {
      if (wanted.contains(reason.job())) {
        reasons.put(reason.job(), reason);
      }
    }
    return reasons;
  }

  private static void write(
      ControlStatus.JobStatus job,
      Target target,
      Explanation.@Nullable Reason reason,
      JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("job", job.figures().job().toString());
    if (job.known() != null) {
      json.writeStringProperty("user", job.known().user());
      json.writeStringProperty("name", job.known().name());
      json.writeNumberProperty("nodes", job.known().nodes());
    }
    if (!job.branch().isEmpty()) {
      json.writeStringProperty("branch", ShareGrouping.branch(job.branch()));
      json.writeStringProperty("branch_shares", job.branchShares());
    }
    json.writeNumberProperty("weight", job.weight());
    json.writeStringProperty("allowed", allowed(job.allowedTokensPerSecond(), target));
    number("allowed_tokens_per_second", job.allowedTokensPerSecond(), json);
    figures(job.figures(), json);
    if (reason != null) {
      json.writeObjectPropertyStart("figures");
      reason.figures().forEach((name, figure) -> number(name, figure.doubleValue(), json));
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static String allowed(double tokensPerSecond, Target target) {
    if (Double.isInfinite(tokensPerSecond)) {
      return "unlimited";
    }
    return Quantities.formatRate(
        tokensPerSecond,
        target.unit().equals(TokenUnit.OPERATIONS)
            ? Quantities.Counted.OPERATIONS
            : Quantities.Counted.BYTES);
  }

  private static void figures(JobFigures figures, JsonGenerator json) {
    number("read_bytes_per_second", figures.readBytesPerSecond(), json);
    number("written_bytes_per_second", figures.writtenBytesPerSecond(), json);
    number("operations_per_second", figures.operationsPerSecond(), json);
    number("waited_ms", figures.waitedMillis(), json);
    json.writeNumberProperty("queued", figures.queued());
    number("oldest_wait_ms", figures.oldestWaitMillis(), json);
  }

  /** Writes one explanation as an object. */
  static void write(JobExplanation explanation, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("job", explanation.job().toString());
    json.writeNumberProperty("weight", explanation.weight());
    json.writeStringProperty("state", explanation.state());
    json.writeStringProperty("summary", explanation.summary());
    Explanation.Reason reason = explanation.reason();
    if (reason == null) {
      json.writeNullProperty("reason");
    } else {
      json.writeStringProperty("reason", reason.words());
      json.writeObjectPropertyStart("figures");
      reason.figures().forEach((name, figure) -> number(name, figure.doubleValue(), json));
      json.writeEndObject();
    }
    json.writeArrayPropertyStart("limits");
    explanation.limits().forEach(limit -> limit(limit, json));
    json.writeEndArray();
    json.writeArrayPropertyStart("limits_elsewhere");
    explanation.limitsElsewhere().forEach(json::writeString);
    json.writeEndArray();
    json.writeObjectPropertyStart("last_minute");
    for (Map.Entry<String, List<JobFigures>> target : explanation.history().entrySet()) {
      json.writeArrayPropertyStart(target.getKey());
      for (JobFigures second : target.getValue()) {
        json.writeStartObject();
        figures(second, json);
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void limit(LimitOnJob limit, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", limit.name());
    json.writeStringProperty("target", limit.target());
    json.writeStringProperty("rate", limit.rates());
    json.writeNumberProperty("waiting", limit.effect().waiting());
    json.writeStringProperty("words", limit.words());
    json.writeEndObject();
  }

  /** What is unlimited is null; a whole number is written as one. */
  private static void number(String name, double value, JsonGenerator json) {
    json.writeName(name);
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(Math.round(value * 1e3) / 1e3);
    }
  }
}
