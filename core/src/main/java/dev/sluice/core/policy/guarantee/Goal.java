package dev.sluice.core.policy.guarantee;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.schedule.JobOwner;

/**
 * Within what time 99 of 100 requests of somebody's jobs are to be answered, each second and on
 * each target that they use.
 *
 * @param who by what it is told whose a job is
 * @param name of the job, user, group or account
 * @param latencyNanos from a request's coming to its end
 */
public record Goal(Guarantee.Who who, String name, long latencyNanos) {
  /** Below a tenth of a millisecond there is nothing that waiting requests could be blamed for. */
  public static final long LATENCY_NANOS_MIN = 100_000;

  /** Goals are kept second by second. */
  public static final long LATENCY_NANOS_MAX = 10_000_000_000L;

  public Goal {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a goal is somebody's");
    }
    if (latencyNanos < LATENCY_NANOS_MIN || latencyNanos > LATENCY_NANOS_MAX) {
      throw new IllegalArgumentException(
          "a goal must be 100 us to 10 s, not " + Quantities.formatDuration(latencyNanos));
    }
  }

  /** Whether a job is one that it is for. */
  public boolean covers(JobId job, JobOwner owner) {
    return name.equals(who.nameOf(job, owner));
  }

  /** For people: {@code alice's goal of 20 ms}. */
  public String possessive() {
    return name + "'s goal of " + Quantities.formatDuration(latencyNanos);
  }
}
