package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.Shares;
import java.util.Arrays;

/**
 * What somebody reserved for the jobs of one target, for policies that limit nobody. Not more than
 * nine tenths of a target are reserved: where all reserves together are more, each is cut in
 * proportion.
 *
 * @param perSecond what was asked for, of all jobs together
 * @param keptPart what is left of each reserve
 */
public record Reserved(Observation seen, double perSecond, double keptPart) {
  /**
   * So much of a target may be reserved, so that whoever has no reserve is served and a little
   * unsteadiness of the target breaks no promise.
   */
  private static final double RESERVED_MAX = 0.9;

  public static Reserved of(Observation seen) {
    double sum = 0;
    for (JobDemand demand : seen.jobs()) {
      sum += asked(demand);
    }
    double most = RESERVED_MAX * seen.target().tokensPerSecond();
    return new Reserved(seen, sum, sum > most ? most / sum : 1);
  }

  /** What was asked for, for one job, a second. */
  public static double asked(JobDemand demand) {
    return Math.max(0, demand.reservedPerSecond());
  }

  public boolean isEmpty() {
    return perSecond == 0;
  }

  public boolean isCut() {
    return keptPart < 1;
  }

  /** Weights, and what is reserved, for the jobs in the order in which they were seen. */
  public Shares shares(JobId[] jobs, long[] weights) {
    long[] unlimited = new long[jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    if (isEmpty()) {
      return Shares.ofColumns(jobs, unlimited, weights, seen.periodNanos());
    }
    Target target = seen.target();
    double periods = (double) Rate.NANOS_PER_SECOND / seen.periodNanos();
    long partsPerToken =
        Shares.partsPerToken(target.tokensPerSecond() / periods, seen.periodNanos());
    long[] reserved = new long[jobs.length];
    for (int i = 0; i < reserved.length; i++) {
      reserved[i] = (long) (asked(seen.jobs().get(i)) * keptPart / periods * partsPerToken);
    }
    return Shares.ofParts(jobs, unlimited, weights, partsPerToken, seen.periodNanos())
        .withReserves(reserved);
  }

  /** How much is reserved of all, and of how much that is left. */
  public String words() {
    return tokens(perSecond * keptPart)
        + " are reserved"
        + (isCut() ? ", cut from " + tokens(perSecond) + " to 90 % of the capacity" : "");
  }

  /** How much is reserved for a job of what was asked for. */
  public String words(int job, Shares shares) {
    double given = shares.reserved(job) * Rate.NANOS_PER_SECOND / seen.periodNanos();
    return tokens(given)
        + " are reserved for it"
        + (isCut()
            ? ", cut from " + tokens(asked(seen.jobs().get(job))) + " as all reserves are"
            : "");
  }

  private static String tokens(double perSecond) {
    return Quantities.formatRate(perSecond, Quantities.Counted.TOKENS);
  }
}
