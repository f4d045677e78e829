package dev.sluice.gateway.admin;

import dev.sluice.core.model.Target;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import tools.jackson.core.JsonGenerator;

/**
 * What each job was served so far, as JSON; docs/gateway.md describes it. Asked for ten times a
 * second by whoever records, so a job is a short list and not an object with ten names.
 */
final class DemandJson {
  private DemandJson() {}

  /**
   * Writes the properties into an object that is open.
   *
   * @param sinceNanos jobs that were not here since then are left out
   */
  static void write(ServiceTotals totals, long sinceNanos, JsonGenerator json) {
    json.writeNumberProperty("now_ns", totals.nowNanos());
    json.writeStringProperty("policy", totals.policy());
    json.writeBooleanProperty("observe_only", totals.observesOnly());
    json.writeArrayPropertyStart("targets");
    for (ServiceTotals.TargetTotals target : totals.targets()) {
      json.writeStartObject();
      write(target.target(), json);
      json.writeArrayPropertyStart("jobs");
      for (ServiceTotals.JobTotals job : target.jobs()) {
        JobStatistics served = job.served();
        boolean here = served.queued() > 0 || served.inService() > 0;
        if (here || served.lastSeenNanos() >= sinceNanos) {
          write(job, served, json);
        }
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(Target target, JsonGenerator json) {
    json.writeStringProperty("name", target.name());
    json.writeNumberProperty("tokens_per_second", target.tokensPerSecond());
    json.writeNumberProperty("tokens_per_operation", target.unit().tokensPerOperation());
    json.writeNumberProperty("tokens_per_byte", target.unit().tokensPerByte());
  }

  private static void write(ServiceTotals.JobTotals job, JobStatistics served, JsonGenerator json) {
    json.writeStartArray();
    json.writeString(served.job().toString());
    json.writeString(served.user());
    json.writeNumber(job.weight());
    json.writeNumber(served.operations());
    json.writeNumber(served.reads());
    json.writeNumber(served.writes());
    json.writeNumber(served.readBytes());
    json.writeNumber(served.writtenBytes());
    json.writeNumber(served.waitedNanos());
    json.writeNumber(served.servedNanos());
    json.writeNumber(served.busyNanos());
    json.writeNumber(served.queued() + served.inService());
    json.writeEndArray();
  }
}
