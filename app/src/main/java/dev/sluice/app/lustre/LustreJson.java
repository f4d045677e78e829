package dev.sluice.app.lustre;

import dev.sluice.command.JsonLine;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.LustreTop;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.TopJob;
import tools.jackson.core.JsonGenerator;

/** What goes on on a Lustre server, for programs: one object a line. */
final class LustreJson {
  private LustreJson() {}

  static String top(LustreTop.Look look, int jobsMax) {
    return JsonLine.object(json -> {
      json.writeNumberProperty("seconds", look.seconds());
      json.writeBooleanProperty("filtered", look.filtered());
      json.writeNumberProperty("requests_per_second", look.rpcsPerSecond());
      json.writeNumberProperty("uncounted_per_second", look.uncountedPerSecond());
      json.writeNumberProperty("waiting", look.waiting());
      json.writeArrayPropertyStart("jobs");
      look.jobs().stream().limit(jobsMax).forEach(job -> top(json, job, look.filtered()));
      json.writeEndArray();
      if (look.problem() != null) {
        json.writeStringProperty("problem", look.problem());
      }
    });
  }

  private static void top(JsonGenerator json, TopJob job, boolean filtered) {
    json.writeStartObject();
    json.writeStringProperty("job", job.job().toString());
    json.writeNumberProperty("requests_per_second", job.rpcsPerSecond());
    json.writeNumberProperty("read_bytes_per_second", job.readBytesPerSecond());
    json.writeNumberProperty("written_bytes_per_second", job.writtenBytesPerSecond());
    if (filtered) {
      json.writeStringProperty("rule", job.rule());
      json.writeNumberProperty("allowed_per_second", job.allowedPerSecond());
    }
    json.writeBooleanProperty("held_back", job.heldBack());
    json.writeEndObject();
  }

  static String period(PeriodReport report) {
    return JsonLine.object(json -> {
      json.writeNumberProperty("seconds", report.periodNanos() / 1e9);
      json.writeArrayPropertyStart("problems");
      report.problems().forEach(json::writeString);
      json.writeEndArray();
      json.writeArrayPropertyStart("commands");
      report.commands().forEach(command -> json.writeString(command.text()));
      json.writeEndArray();
      Decision decision = report.decision();
      if (decision != null) {
        json.writeNumberProperty("served", decision.servedRpcs());
        json.writeNumberProperty("served_unknown", decision.unknownRpcs());
        json.writeStringProperty("summary", decision.explanation().summary());
        json.writeArrayPropertyStart("jobs");
        decision.jobs().forEach(job -> job(json, job));
        json.writeEndArray();
      }
    });
  }

  private static void job(JsonGenerator json, JobReport job) {
    json.writeStartObject();
    json.writeStringProperty("job", job.job().toString());
    json.writeNumberProperty("nodes", job.nodes());
    json.writeNumberProperty("served", job.servedRpcs());
    json.writeNumberProperty("served_uncounted", job.uncountedRpcs());
    json.writeNumberProperty("read_bytes", job.activity().readBytes());
    json.writeNumberProperty("written_bytes", job.activity().writtenBytes());
    json.writeNumberProperty("wanted", job.wantedRpcs());
    if (!job.isUnlimited()) {
      json.writeNumberProperty("granted", job.grantedRpcs());
    }
    json.writeBooleanProperty("held_back", job.heldBack());
    if (job.rule() != null) {
      json.writeStringProperty("rule", job.rule());
      json.writeNumberProperty("rate_per_partition", job.ratePerPartition());
      json.writeNumberProperty("partitions", job.partitions());
    }
    if (job.leftAlone() != null) {
      json.writeStringProperty("left_alone", job.leftAlone());
    }
    json.writeEndObject();
  }
}
