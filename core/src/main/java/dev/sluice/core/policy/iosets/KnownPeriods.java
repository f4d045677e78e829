package dev.sluice.core.policy.iosets;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.PerJob;

/** Periods that somebody knows, by job. */
final class KnownPeriods {
  private static final String EXPECTED = "expected job=duration, such as fast=19.2 s, slow-*=384 s";

  private final PerJob<Cadence> known;

  private KnownPeriods(PerJob<Cadence> known) {
    this.known = known;
  }

  /** Reads a list that is separated by commas. */
  static KnownPeriods parse(String parameter, String text) {
    return new KnownPeriods(
        PerJob.parse(
            parameter,
            text,
            EXPECTED,
            duration -> new Cadence.Every(Quantities.parseDurationNanos(duration), 1)));
  }

  /** The job's cadence: what somebody set, else what is known, else what was found. */
  Cadence of(JobDemand job) {
    if (job.cadence() instanceof Cadence.Prioritised) {
      return job.cadence();
    }
    Cadence period = known.of(job.job());
    return period == null ? job.cadence() : period;
  }
}
