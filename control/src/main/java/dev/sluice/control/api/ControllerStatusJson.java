package dev.sluice.control.api;

import dev.sluice.command.metrics.Busiest;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.controller.ControllerStatus.Gateways;
import dev.sluice.control.controller.ControllerStatus.JobRate;
import dev.sluice.control.controller.ControllerStatus.JobState;
import dev.sluice.control.controller.ControllerStatus.ResourceState;
import dev.sluice.control.controller.ControllerStatus.TargetJob;
import dev.sluice.control.controller.ControllerStatus.TargetState;
import dev.sluice.control.gateways.TargetSeen.JobSeen;
import dev.sluice.control.leader.Standing;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.store.documents.LimitInForce;
import dev.sluice.store.documents.PresentJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * How a controller is, as JSON of the same shape as a gateway's, so that whoever can show one can
 * show the other: what a gateway calls a target is a resource here, or what a limit is about, or a
 * target of one of the gateways.
 */
final class ControllerStatusJson {
  private ControllerStatusJson() {}

  /** One thing that is divided or limited, and who does how much of it. */
  private record Shown(LimitKey key, @Nullable ResourceState resource, List<Row> rows) {}

  private record Row(JobState job, JobRate rate) {}

  /** Writes the properties of a status into an object that is open. */
  static void write(
      ControllerStatus status, ControllerFacts facts, int jobsMax, JsonGenerator json) {
    json.writeStringProperty("policy", policy(status));
    number("period_ms", facts.periodNanos() / 1e6, json);
    json.writeObjectPropertyStart("settings");
    json.writeEndObject();
    json.writeBooleanProperty("observe_only", false);
    json.writeStringProperty("listen", facts.listen());
    number("up_s", facts.upNanos() / 1e9, json);
    json.writeNumberProperty("connections", status.members().size());
    json.writeNumberProperty(
        "nodes", status.members().stream().mapToLong(ControllerStatus.Member::agents).sum());
    standing(status.standing(), json);
    json.writeNumberProperty("document_version", facts.documentVersion());
    json.writeArrayPropertyStart("problems");
    facts.problems().forEach(json::writeString);
    if (status.problem() != null) {
      json.writeString(status.problem());
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    shown(status).forEach(target -> write(target, status, jobsMax, json));
    Gateways gateways = status.gateways();
    if (gateways != null) {
      gateways.targets().forEach(target -> write(target, gateways, jobsMax, json));
    }
    json.writeEndArray();
  }

  private static String policy(ControllerStatus status) {
    Set<String> names =
        status.resources().stream()
            .map(ResourceState::algorithm)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (status.gateways() != null) {
      names.add(status.gateways().policy());
    }
    return names.isEmpty() ? "none" : String.join(", ", names);
  }

  private static void standing(Standing standing, JsonGenerator json) {
    switch (standing) {
      case Standing.Leads leads -> {
        json.writeBooleanProperty("leads", true);
        json.writeNumberProperty("epoch", leads.epoch());
        json.writeNullProperty("follows_because");
      }
      case Standing.Follows(String reason) -> {
        json.writeBooleanProperty("leads", false);
        json.writeNullProperty("epoch");
        json.writeStringProperty("follows_because", reason);
      }
    }
  }

  private static List<Shown> shown(ControllerStatus status) {
    Set<LimitKey> keys = new LinkedHashSet<>();
    status.resources().forEach(resource -> keys.add(resource.key()));
    status.jobs().forEach(job -> job.rates().forEach(rate -> keys.add(rate.key())));
    List<Shown> all = new ArrayList<>();
    for (LimitKey key : keys) {
      ResourceState resource =
          status.resources().stream()
              .filter(state -> state.key().equals(key))
              .findFirst()
              .orElse(null);
      all.add(new Shown(key, resource, new ArrayList<>()));
    }
    for (JobState job : status.jobs()) {
      for (JobRate rate : job.rates()) {
        all.stream()
            .filter(target -> target.key().equals(rate.key()))
            .forEach(target -> target.rows().add(new Row(job, rate)));
      }
    }
    return all;
  }

  private static void write(
      Shown target, ControllerStatus status, int jobsMax, JsonGenerator json) {
    Counted counted = target.key().counted();
    boolean bytes = counted == Counted.BYTES;
    ResourceState resource = target.resource();
    json.writeStartObject();
    json.writeStringProperty("name", target.key().toString());
    json.writeStringProperty(
        "capacity",
        resource == null
            ? "unlimited"
            : Quantities.formatRate((double) resource.maximumPerSecond(), counted));
    if (resource == null) {
      json.writeNullProperty("capacity_tokens_per_second");
    } else {
      json.writeNumberProperty("capacity_tokens_per_second", resource.maximumPerSecond());
    }
    json.writeNumberProperty("tokens_per_operation", bytes ? 0 : 1);
    json.writeNumberProperty("tokens_per_byte", bytes ? 1 : 0);
    json.writeNumberProperty("decisions", status.cycles());
    json.writeNullProperty("trouble");
    json.writeNumberProperty("queued", 0);
    json.writeNumberProperty("in_service", 0);
    long used = target.rows().stream().mapToLong(row -> row.rate().usedPerSecond()).sum();
    json.writeNumberProperty("bytes_per_second", bytes ? used : 0);
    json.writeNumberProperty("operations_per_second", bytes ? 0 : used);
    List<Row> busy =
        target.rows().stream()
            .filter(row -> row.rate().usedPerSecond() > 0 || row.rate().allowedPerSecond() >= 0)
            .sorted(
                Comparator.<Row>comparingLong(row -> row.rate().usedPerSecond())
                    .reversed()
                    .thenComparing(row -> row.job().job()))
            .toList();
    json.writeNumberProperty("busy_jobs", busy.size());
    json.writeArrayPropertyStart("jobs");
    busy.stream().limit(jobsMax).forEach(row -> write(row, bytes, json));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(Row row, boolean bytes, JsonGenerator json) {
    JobRate rate = row.rate();
    json.writeStartObject();
    json.writeStringProperty("job", row.job().job());
    json.writeStringProperty("user", row.job().user());
    json.writeNumberProperty("nodes", row.job().nodes());
    json.writeNumberProperty("processes", row.job().processes());
    json.writeNumberProperty("weight", 1);
    json.writeStringProperty("allowed", allowed(rate));
    if (rate.allowedPerSecond() < 0) {
      json.writeNullProperty("allowed_tokens_per_second");
    } else {
      json.writeNumberProperty("allowed_tokens_per_second", rate.allowedPerSecond());
    }
    // A stage counts the bytes of reads and writes together where they share a limit.
    json.writeNumberProperty("read_bytes_per_second", bytes ? rate.usedPerSecond() : 0);
    json.writeNumberProperty("written_bytes_per_second", 0);
    json.writeNumberProperty("operations_per_second", bytes ? 0 : rate.usedPerSecond());
    json.writeNumberProperty("waited_ms", 0);
    json.writeNumberProperty("queued", 0);
    json.writeEndObject();
  }

  private static void write(TargetState state, Gateways gateways, int jobsMax, JsonGenerator json) {
    Target target = state.target();
    boolean known = target.tokensPerSecond() < Rate.TOKENS_PER_SECOND_MAX;
    json.writeStartObject();
    json.writeStringProperty("name", target.name());
    json.writeStringProperty(
        "capacity", known ? rate((double) target.tokensPerSecond(), target) : "unlimited");
    if (known) {
      json.writeNumberProperty("capacity_tokens_per_second", target.tokensPerSecond());
    } else {
      json.writeNullProperty("capacity_tokens_per_second");
    }
    json.writeNumberProperty("tokens_per_operation", target.unit().tokensPerOperation());
    json.writeNumberProperty("tokens_per_byte", target.unit().tokensPerByte());
    json.writeNumberProperty("decisions", gateways.decisions());
    if (gateways.explanation() != null) {
      json.writeStringProperty("summary", gateways.explanation().summary());
    }
    if (gateways.trouble() == null) {
      json.writeNullProperty("trouble");
    } else {
      json.writeStringProperty("trouble", gateways.trouble());
    }
    json.writeNumberProperty("queued", state.queued());
    json.writeNumberProperty("in_service", state.inService());
    List<TargetJob> busy =
        state.jobs().stream()
            .sorted(
                Comparator.<TargetJob>comparingDouble(job -> bytes(job.seen()))
                    .thenComparingDouble(job -> job.seen().operationsPerSecond())
                    .reversed())
            .toList();
    number("bytes_per_second", busy.stream().mapToDouble(job -> bytes(job.seen())).sum(), json);
    number(
        "operations_per_second",
        busy.stream().mapToDouble(job -> job.seen().operationsPerSecond()).sum(),
        json);
    json.writeNumberProperty("busy_jobs", busy.size());
    json.writeArrayPropertyStart("jobs");
    busy.stream().limit(jobsMax).forEach(job -> write(job, target, json));
    json.writeEndArray();
    json.writeEndObject();
  }

  private static double bytes(JobSeen seen) {
    return seen.readBytesPerSecond() + seen.writtenBytesPerSecond();
  }

  private static void write(TargetJob job, Target target, JsonGenerator json) {
    JobSeen seen = job.seen();
    boolean limited = !Double.isInfinite(job.allowedTokensPerSecond());
    json.writeStartObject();
    json.writeStringProperty("job", seen.job().isEmpty() ? Busiest.OTHER : seen.job());
    json.writeStringProperty("user", seen.user());
    json.writeNumberProperty("weight", job.weight());
    json.writeStringProperty(
        "allowed", limited ? rate(job.allowedTokensPerSecond(), target) : "unlimited");
    if (limited) {
      number("allowed_tokens_per_second", job.allowedTokensPerSecond(), json);
    } else {
      json.writeNullProperty("allowed_tokens_per_second");
    }
    number("read_bytes_per_second", seen.readBytesPerSecond(), json);
    number("written_bytes_per_second", seen.writtenBytesPerSecond(), json);
    number("operations_per_second", seen.operationsPerSecond(), json);
    number("waited_ms", seen.waitedMillis(), json);
    json.writeNumberProperty("queued", seen.queued());
    json.writeEndObject();
  }

  private static String rate(double tokensPerSecond, Target target) {
    return Quantities.formatRate(
        tokensPerSecond, target.unit().tokensPerByte() > 0 ? Counted.BYTES : Counted.OPERATIONS);
  }

  private static String allowed(JobRate rate) {
    return rate.allowedPerSecond() < 0
        ? "unlimited"
        : Quantities.formatRate((double) rate.allowedPerSecond(), rate.key().counted());
  }

  /** Why a job may do what it may, of one thing. */
  static void explanation(
      ControllerStatus status,
      JobState job,
      JobRate rate,
      ControllerFacts facts,
      JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("job", job.job());
    json.writeNumberProperty("weight", 1);
    json.writeStringProperty("target", rate.key().toString());
    json.writeStringProperty("state", standing(status));
    json.writeStringProperty("summary", summary(status, rate));
    json.writeStringProperty("reason", reason(status, job, rate, facts));
    json.writeObjectPropertyStart("figures");
    json.writeNumberProperty("used", rate.usedPerSecond());
    if (rate.allowedPerSecond() >= 0) {
      json.writeNumberProperty("allowed", rate.allowedPerSecond());
    }
    if (rate.demandPerSecond() >= 0) {
      json.writeNumberProperty("demand", rate.demandPerSecond());
    }
    json.writeEndObject();
    json.writeObjectPropertyStart("last_minute");
    json.writeEndObject();
    json.writeEndObject();
  }

  private static String standing(ControllerStatus status) {
    return switch (status.standing()) {
      case Standing.Leads leads -> "this controller leads, in epoch " + leads.epoch();
      case Standing.Follows(String reason) -> "this controller decides nothing: " + reason;
    };
  }

  /** Why a job may do what it may, on a gateway's target. */
  static void explanation(
      ControllerStatus status,
      Gateways gateways,
      TargetState state,
      TargetJob job,
      JsonGenerator json) {
    Explanation why = gateways.explanation();
    Explanation.Reason reason =
        why == null
            ? null
            : why.reasons().stream()
                .filter(one -> one.job().toString().equals(job.seen().job()))
                .findFirst()
                .orElse(null);
    json.writeStartObject();
    json.writeStringProperty("job", job.seen().job());
    json.writeNumberProperty("weight", job.weight());
    json.writeStringProperty("target", state.target().name());
    json.writeStringProperty("state", standing(status));
    json.writeStringProperty("summary", why == null ? "nothing is decided yet" : why.summary());
    if (reason == null) {
      json.writeNullProperty("reason");
    } else {
      json.writeStringProperty("reason", reason.words());
      json.writeObjectPropertyStart("figures");
      reason.figures().forEach((name, value) -> number(name, value.doubleValue(), json));
      json.writeEndObject();
    }
    json.writeObjectPropertyStart("last_minute");
    json.writeEndObject();
    json.writeEndObject();
  }

  private static String summary(ControllerStatus status, JobRate rate) {
    return status.resources().stream()
        .filter(resource -> resource.key().equals(rate.key()))
        .findFirst()
        .map(resource ->
            Quantities.formatRate((double) resource.maximumPerSecond(), resource.key().counted())
                + " of "
                + resource.key()
                + " are divided by "
                + resource.algorithm()
                + "; "
                + Quantities.formatRate((double) resource.usedPerSecond(), resource.key().counted())
                + " are used")
        .orElse(rate.key() + " is not divided, only limited");
  }

  /** In the words of what divides it, where that has some. */
  private static String inItsWords(ControllerStatus status, JobState job, JobRate rate) {
    for (ResourceState resource : status.resources()) {
      Explanation explanation = resource.explanation();
      if (explanation != null && resource.key().equals(rate.key())) {
        for (Explanation.Reason reason : explanation.reasons()) {
          if (reason.job().toString().equals(job.job())) {
            return "; " + reason.words();
          }
        }
      }
    }
    return "";
  }

  private static String reason(
      ControllerStatus status, JobState job, JobRate rate, ControllerFacts facts) {
    Counted counted = rate.key().counted();
    String words =
        "uses "
            + Quantities.formatRate((double) rate.usedPerSecond(), counted)
            + " and may use "
            + allowed(rate)
            + (rate.demandPerSecond() < 0
                ? ""
                : "; it may count on "
                    + Quantities.formatRate((double) rate.demandPerSecond(), counted))
            + inItsWords(status, job, rate);
    List<LimitInForce> limits =
        facts.limits().apply(List.of(new PresentJob(JobId.of(job.job()), job.user())));
    List<String> named =
        limits.stream()
            .filter(limit -> limit.key().equals(rate.key()))
            .map(limit ->
                "the "
                    + limit.firmness().text()
                    + " limit \""
                    + limit.from()
                    + "\" allows "
                    + limit.holder()
                    + " "
                    + Quantities.formatRate((double) limit.perSecond(), counted))
            .toList();
    return named.isEmpty() ? words : words + "; " + String.join("; ", named);
  }

  /** A whole number is written as one. */
  private static void number(String name, double value, JsonGenerator json) {
    json.writeName(name);
    if (value == Math.rint(value)) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(Math.round(value * 1e3) / 1e3);
    }
  }
}
