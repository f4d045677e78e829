package dev.sluice.web.live;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.web.live.LiveStatus.FoundCapacity;
import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the answer to the command {@code status}, so that all that can show one program can show
 * another.
 *
 * <p>Theorem. What is written is read again by {@link StatusReader} as it was, numbers to within a
 * thousandth.
 */
public final class StatusWriter {
  /** Above this, whole numbers are no longer exact. */
  private static final double WHOLE_MAX = 1e15;

  private StatusWriter() {}

  /** Writes the properties of a status into an object that is open. */
  public static void write(LiveStatus status, JsonGenerator json) {
    json.writeStringProperty("policy", status.policy());
    number("period_ms", status.periodMillis(), json);
    json.writeObjectPropertyStart("settings");
    status.settings().forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeBooleanProperty("observe_only", status.observesOnly());
    number("up_s", status.upSeconds(), json);
    json.writeNumberProperty("connections", status.connections());
    if (!status.turn().isEmpty()) {
      json.writeStringProperty("turn", status.turn());
    }
    json.writeArrayPropertyStart("problems");
    status.problems().forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    status.targets().forEach(target -> write(target, json));
    json.writeEndArray();
  }

  private static void write(LiveTarget target, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", target.name());
    json.writeStringProperty("capacity", target.capacity());
    number("capacity_tokens_per_second", target.capacityTokensPerSecond(), json);
    number("tokens_per_operation", target.tokensPerOperation(), json);
    number("tokens_per_byte", target.tokensPerByte(), json);
    write(target.found(), json);
    json.writeNumberProperty("queued", target.queued());
    json.writeNumberProperty("in_service", target.inService());
    number("bytes_per_second", target.bytesPerSecond(), json);
    number("operations_per_second", target.operationsPerSecond(), json);
    json.writeNumberProperty("busy_jobs", target.busyJobs());
    if (target.summary() != null) {
      json.writeStringProperty("summary", target.summary());
    }
    if (target.trouble() == null) {
      json.writeNullProperty("trouble");
    } else {
      json.writeStringProperty("trouble", target.trouble());
    }
    json.writeArrayPropertyStart("jobs");
    target.jobs().forEach(job -> write(job, target, json));
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes the property {@code found} of a target that is open. */
  public static void write(@Nullable FoundCapacity found, JsonGenerator json) {
    if (found == null) {
      json.writeNullProperty("found");
      return;
    }
    json.writeObjectPropertyStart("found");
    json.writeBooleanProperty("known", found.known());
    number("tokens_per_second", found.tokensPerSecond(), json);
    number("delivered_per_second", found.deliveredPerSecond(), json);
    number("depth", found.depth(), json);
    number("stretch", found.stretch(), json);
    number("calm_ms", found.calmMillis(), json);
    json.writeStringProperty("words", found.words());
    json.writeObjectPropertyStart("prices");
    found.prices().forEach((part, price) -> number(part, price, json));
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void write(LiveJob job, LiveTarget target, JsonGenerator json) {
    JobDescription described = job.description();
    json.writeStartObject();
    json.writeStringProperty("job", described.id());
    text("user", described.user(), json);
    text("name", described.name(), json);
    if (described.nodes() > 0) {
      json.writeNumberProperty("nodes", described.nodes());
    }
    json.writeNumberProperty("weight", described.weight());
    text("branch", described.branch(), json);
    text("branch_shares", described.branchShares(), json);
    json.writeStringProperty("allowed", allowed(job.allowedTokensPerSecond(), target));
    number("allowed_tokens_per_second", job.allowedTokensPerSecond(), json);
    number("read_bytes_per_second", job.readBytesPerSecond(), json);
    number("written_bytes_per_second", job.writtenBytesPerSecond(), json);
    number("operations_per_second", job.operationsPerSecond(), json);
    number("waited_ms", job.waitedMillis(), json);
    json.writeNumberProperty("queued", job.queued());
    if (!job.figures().isEmpty()) {
      json.writeObjectPropertyStart("figures");
      job.figures().forEach((name, figure) -> number(name, figure, json));
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void text(String name, String value, JsonGenerator json) {
    if (!value.isEmpty()) {
      json.writeStringProperty(name, value);
    }
  }

  private static String allowed(double tokensPerSecond, LiveTarget target) {
    return Double.isInfinite(tokensPerSecond)
        ? "unlimited"
        : Quantities.formatRate(
            tokensPerSecond, target.tokensPerByte() > 0 ? Counted.BYTES : Counted.OPERATIONS);
  }

  /** What is unlimited is null; a whole number is written as one. */
  public static void number(String name, double value, JsonGenerator json) {
    json.writeName(name);
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      json.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < WHOLE_MAX) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(Math.round(value * 1e3) / 1e3);
    }
  }
}
