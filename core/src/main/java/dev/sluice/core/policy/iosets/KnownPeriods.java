package dev.sluice.core.policy.iosets;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobDemand;
import java.util.LinkedHashMap;
import java.util.Map;

/** Periods that somebody knows, by job; {@code slow-*} are all jobs whose ids begin so. */
final class KnownPeriods {
  private static final String EXPECTED = "expected job=duration, such as fast=19.2 s, slow-*=384 s";

  private final Map<String, Cadence> exact;
  private final Map<String, Cadence> byBeginning;

  private KnownPeriods(Map<String, Cadence> exact, Map<String, Cadence> byBeginning) {
    this.exact = exact;
    this.byBeginning = byBeginning;
  }

  /** Reads a list that is separated by commas. */
  static KnownPeriods parse(String parameter, String text) {
    Map<String, Cadence> exact = new LinkedHashMap<>();
    Map<String, Cadence> byBeginning = new LinkedHashMap<>();
    for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
      int equals = entry.lastIndexOf('=');
      String job = equals < 0 ? "" : entry.substring(0, equals).strip();
      if (job.isEmpty()) {
        throw new IllegalArgumentException(parameter + ": \"" + entry.strip() + "\": " + EXPECTED);
      }
      Cadence cadence;
      try {
        cadence = new Cadence.Every(Quantities.parseDurationNanos(entry.substring(equals + 1)), 1);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            parameter + ": " + entry.strip() + ": " + e.getMessage(), e);
      }
      if (job.endsWith("*")) {
        byBeginning.put(job.substring(0, job.length() - 1), cadence);
      } else {
        exact.put(job, cadence);
      }
    }
    return new KnownPeriods(exact, byBeginning);
  }

  /** The job's cadence: what somebody set, else what is known, else what was found. */
  Cadence of(JobDemand job) {
    if (job.cadence() instanceof Cadence.Prioritised) {
      return job.cadence();
    }
    String id = job.job().toString();
    Cadence known = exact.get(id);
    if (known != null) {
      return known;
    }
    for (Map.Entry<String, Cadence> beginning : byBeginning.entrySet()) {
      if (id.startsWith(beginning.getKey())) {
        return beginning.getValue();
      }
    }
    return job.cadence();
  }
}
