package dev.sluice.store.api;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.store.documents.DocumentVersion;
import dev.sluice.store.documents.ExactRate;
import dev.sluice.store.documents.LimitEntry;
import dev.sluice.store.documents.LimitInForce;
import dev.sluice.store.documents.LimitsInForce;
import dev.sluice.store.documents.PolicyDocument;
import dev.sluice.store.documents.PresentJob;
import dev.sluice.store.documents.ResourceEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Documents for programs. */
final class DocumentJson {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Before anybody has applied a document. */
  static final DocumentVersion NOTHING = new DocumentVersion(0, 0, "", "", null, List.of(), "");

  private DocumentJson() {}

  /** Who put it in force when, and what it changed. */
  static void entry(DocumentVersion version, JsonGenerator json) {
    json.writeNumberProperty("version", version.version());
    json.writeNumberProperty("applied_ms", version.appliedNanos() / NANOS_PER_MILLI);
    json.writeStringProperty("author", version.author());
    json.writeStringProperty("note", version.note());
    Long restores = version.restores();
    if (restores == null) {
      json.writeNullProperty("restores");
    } else {
      json.writeNumberProperty("restores", restores);
    }
    texts("changes", version.changes(), json);
  }

  static void version(DocumentVersion version, JsonGenerator json) {
    entry(version, json);
    json.writeStringProperty("content", version.content());
  }

  static void document(PolicyDocument document, Instant now, JsonGenerator json) {
    json.writeArrayPropertyStart("resources");
    document.resources().forEach(resource -> resource(resource, json));
    json.writeEndArray();
    json.writeArrayPropertyStart("limits");
    document.limits().forEach(limit -> limit(limit, now, json));
    json.writeEndArray();
    json.writeArrayPropertyStart("guarantees");
    document.promises().guarantees().all().forEach(guarantee -> guarantee(guarantee, json));
    json.writeEndArray();
    json.writeArrayPropertyStart("goals");
    document.promises().goals().all().forEach(goal -> goal(goal, json));
    json.writeEndArray();
  }

  private static void guarantee(Guarantee guarantee, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("by", guarantee.who().text());
    json.writeStringProperty("name", guarantee.name());
    counted(guarantee.counted(), guarantee.perSecond(), json);
    json.writeEndObject();
  }

  private static void goal(Goal goal, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("by", goal.who().text());
    json.writeStringProperty("name", goal.name());
    json.writeNumberProperty("p99_ms", goal.latencyNanos() / (double) NANOS_PER_MILLI);
    json.writeEndObject();
  }

  private static void resource(ResourceEntry resource, JsonGenerator json) {
    json.writeStartObject();
    rate(resource.key(), resource.maximumPerSecond(), json);
    json.writeStringProperty("policy", resource.policy());
    json.writeObjectPropertyStart("settings");
    resource.policySettings().forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeArrayPropertyStart("jobs");
    resource
        .jobs()
        .forEach((job, terms) -> {
          json.writeStartObject();
          json.writeStringProperty("job", job.toString());
          json.writeNumberProperty("priority", terms.priority());
          if (terms.demandPerSecond().isPresent()) {
            json.writeNumberProperty("demand_per_second", terms.demandPerSecond().getAsLong());
          } else {
            json.writeNullProperty("demand_per_second");
          }
          json.writeEndObject();
        });
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void limit(LimitEntry limit, Instant now, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", limit.name());
    json.writeStringProperty("each", limit.subject().toString());
    json.writeStringProperty("kind", limit.firmness().text());
    json.writeNumberProperty("burst_ms", limit.burstNanos() / NANOS_PER_MILLI);
    json.writeStringProperty("when", limit.schedule().toString());
    json.writeBooleanProperty("in_force", limit.schedule().isInForce(now));
    json.writeArrayPropertyStart("rates");
    limit
        .rates()
        .forEach((key, perSecond) -> {
          json.writeStartObject();
          rate(key, perSecond, json);
          json.writeEndObject();
        });
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void rate(LimitKey key, long perSecond, JsonGenerator json) {
    json.writeStringProperty("operations", key.scope());
    counted(key.counted(), perSecond, json);
  }

  private static void counted(Counted counted, long perSecond, JsonGenerator json) {
    json.writeStringProperty("counted", counted == Counted.BYTES ? "bytes" : "operations");
    json.writeNumberProperty("per_second", perSecond);
    json.writeStringProperty("rate", ExactRate.text(perSecond, counted));
  }

  static void limitsInForce(
      PolicyDocument document, Instant now, List<PresentJob> jobs, JsonGenerator json) {
    json.writeArrayPropertyStart("limits");
    for (LimitInForce limit : new LimitsInForce(document).at(now, jobs)) {
      json.writeStartObject();
      switch (limit.holder()) {
        case LimitInForce.Holder.Job(JobId job) -> {
          json.writeStringProperty("holder", "job");
          json.writeStringProperty("name", job.toString());
        }
        case LimitInForce.Holder.User(String user) -> {
          json.writeStringProperty("holder", "user");
          json.writeStringProperty("name", user);
        }
      }
      rate(limit.key(), limit.perSecond(), json);
      json.writeStringProperty("kind", limit.firmness().text());
      json.writeNumberProperty("burst_ms", limit.burstNanos() / NANOS_PER_MILLI);
      json.writeStringProperty("from", limit.from());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void texts(String name, List<String> texts, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  static void text(String name, @Nullable String text, JsonGenerator json) {
    if (text == null) {
      json.writeNullProperty(name);
    } else {
      json.writeStringProperty(name, text);
    }
  }
}
