package dev.sluice.gateway.admin;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.document.LimitsReader;
import dev.sluice.gateway.control.ControlStatus;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What somebody set for single jobs, as JSON: in words that would set it again. */
final class OverridesJson {
  private OverridesJson() {}

  /** What was set for one job. */
  private record Set(
      @Nullable Long weight,
      @Nullable TbfLimit limit,
      @Nullable Double priority,
      @Nullable Long phaseTokens) {}

  static void write(
      List<ControlStatus.JobSetting> overrides, Map<JobId, Double> priorities, JsonGenerator json) {
    Map<JobId, Set> jobs = new TreeMap<>();
    priorities.forEach((job, priority) -> jobs.put(job, new Set(null, null, priority, null)));
    for (ControlStatus.JobSetting override : overrides) {
      jobs.put(
          override.job(),
          new Set(
              override.weight(),
              override.limit(),
              priorities.get(override.job()),
              override.phaseTokens()));
    }
    json.writeArrayPropertyStart("overrides");
    jobs.forEach((job, set) -> write(job, set, json));
    json.writeEndArray();
  }

  private static void write(JobId job, Set set, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("job", job.toString());
    if (set.weight != null) {
      json.writeNumberProperty("weight", set.weight);
    }
    if (set.limit != null) {
      json.writeStringProperty("limit", words(set.limit));
    }
    if (set.priority != null) {
      json.writeNumberProperty("priority", set.priority);
    }
    if (set.phaseTokens != null) {
      json.writeStringProperty("phase", Long.toString(set.phaseTokens));
    }
    json.writeEndObject();
  }

  /** As people write it, unless that would round it. */
  private static String words(TbfLimit limit) {
    boolean bytes = limit.unit().equals(TokenUnit.BYTES);
    long perSecond = limit.rate().tokens();
    String words =
        Quantities.formatRate(
            (double) perSecond, bytes ? Quantities.Counted.BYTES : Quantities.Counted.OPERATIONS);
    return LimitsReader.limit(words).equals(limit)
        ? words
        : perSecond + (bytes ? " B/s" : " ops/s");
  }
}
