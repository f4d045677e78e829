package dev.sluice.web.live;

import dev.sluice.web.live.LiveStatus.JobDescription;
import dev.sluice.web.live.LiveStatus.LiveJob;
import dev.sluice.web.live.LiveStatus.LiveTarget;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/** Writes what a second looked like, in rows rather than objects; docs/dashboard.md shows one. */
final class FrameWriter {
  /** What a picture of minutes that have passed can show. */
  private static final MathContext COARSE = new MathContext(3);

  private final JsonGenerator json;
  private final int jobsMax;
  private final boolean coarse;

  private FrameWriter(JsonGenerator json, int jobsMax, boolean coarse) {
    this.json = json;
    this.jobsMax = jobsMax;
    this.coarse = coarse;
  }

  /** Writes what happens now: up to so many jobs of each target, and the policy's figures. */
  static FrameWriter ofNow(JsonGenerator json, int jobsMax) {
    return new FrameWriter(json, jobsMax, false);
  }

  /** Writes what is kept: the busiest jobs of each target, as exactly as a chart can show it. */
  static FrameWriter ofThePast(JsonGenerator json, int jobsMax) {
    return new FrameWriter(json, jobsMax, true);
  }

  /** Writes the properties of a frame into an object that is open. */
  void write(LiveFrame frame) {
    LiveStatus status = frame.status();
    json.writeNumberProperty("n", frame.number());
    json.writeNumberProperty("t", frame.atMillis());
    json.writeNumberProperty("audit", frame.lastChange());
    json.writeStringProperty("policy", status.policy());
    json.writeName("period_ms");
    number(status.periodMillis(), 3);
    json.writeObjectPropertyStart("settings");
    status.settings().forEach(json::writeStringProperty);
    json.writeEndObject();
    json.writeBooleanProperty("observe_only", status.observesOnly());
    json.writeName("up_s");
    number(status.upSeconds(), 0);
    json.writeNumberProperty("connections", status.connections());
    if (!status.turn().isEmpty()) {
      json.writeStringProperty("turn", status.turn());
    }
    json.writeArrayPropertyStart("problems");
    status.problems().forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("targets");
    for (int i = 0; i < status.targets().size(); i++) {
      write(status.targets().get(i), frame.numbers().get(i));
    }
    json.writeEndArray();
  }

  /** Writes jobs and their numbers, as a property. */
  static void names(List<JobNumbers.Numbered> named, JsonGenerator json) {
    json.writeArrayPropertyStart("names");
    for (JobNumbers.Numbered numbered : named) {
      JobDescription job = numbered.job();
      json.writeStartArray();
      json.writeNumber(numbered.number());
      json.writeString(job.id());
      json.writeString(job.user());
      json.writeString(job.name());
      json.writeNumber(job.nodes());
      json.writeNumber(job.weight());
      json.writeString(job.branch());
      json.writeString(job.branchShares());
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private void write(LiveTarget target, List<Long> numbers) {
    json.writeStartObject();
    json.writeStringProperty("name", target.name());
    json.writeStringProperty("capacity", target.capacity());
    json.writeName("tokens");
    number(target.capacityTokensPerSecond(), 0);
    json.writeName("per_op");
    number(target.tokensPerOperation(), 0);
    json.writeName("per_byte");
    number(target.tokensPerByte(), 0);
    json.writeNumberProperty("queued", target.queued());
    json.writeNumberProperty("in_service", target.inService());
    json.writeName("bytes");
    number(target.bytesPerSecond(), 0);
    json.writeName("ops");
    number(target.operationsPerSecond(), 1);
    json.writeNumberProperty("busy", target.busyJobs());
    if (target.summary() != null && !coarse) {
      json.writeStringProperty("summary", target.summary());
    }
    if (target.trouble() != null) {
      json.writeStringProperty("trouble", target.trouble());
    }
    int shown = Math.min(target.jobs().size(), jobsMax);
    List<LiveJob> rows = target.jobs().subList(0, shown);
    List<String> figures = coarse ? List.of() : figureNames(rows);
    json.writeArrayPropertyStart("figures");
    figures.forEach(json::writeString);
    json.writeEndArray();
    json.writeArrayPropertyStart("jobs");
    for (int i = 0; i < shown; i++) {
      row(rows.get(i), numbers.get(i), figures);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static List<String> figureNames(List<LiveJob> jobs) {
    Set<String> names = new LinkedHashSet<>();
    jobs.forEach(job -> names.addAll(job.figures().keySet()));
    return new ArrayList<>(names);
  }

  /** Number, allowed, read, written, operations, wait, queued; then the figures, if there are. */
  private void row(LiveJob job, long number, List<String> figures) {
    json.writeStartArray();
    json.writeNumber(number);
    number(job.allowedTokensPerSecond(), 0);
    number(job.readBytesPerSecond(), 0);
    number(job.writtenBytesPerSecond(), 0);
    number(job.operationsPerSecond(), 1);
    number(job.waitedMillis(), 2);
    json.writeNumber(job.queued());
    if (!job.figures().isEmpty()) {
      for (String figure : figures) {
        number(job.figures().getOrDefault(figure, Double.NaN), 3);
      }
    }
    json.writeEndArray();
  }

  /** What is unlimited or not known is null. */
  private void number(double value, int decimals) {
    if (Double.isInfinite(value) || Double.isNaN(value)) {
      json.writeNull();
      return;
    }
    double shown = coarse ? new BigDecimal(value).round(COARSE).doubleValue() : value;
    double scale = Math.pow(10, decimals);
    double rounded = Math.rint(shown * scale) / scale;
    if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
      json.writeNumber((long) rounded);
    } else {
      json.writeNumber(rounded);
    }
  }
}
