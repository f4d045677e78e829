package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;

/**
 * All that a policy is told of one job on one target: what it is, what it wanted in a period, how
 * it was served, and how often it comes.
 *
 * @param arrivedTokens worth of the requests that arrived in the period, served or not: a throttled
 *     job must be able to show that it wants more than it gets
 * @param backlogTokens worth of the requests that arrived earlier and still wait at its end
 * @param cadence how often it does I/O here
 * @param phaseRestTokens what is left of the phase of I/O that it is in; {@link #NOT_KNOWN} where
 *     nobody knows
 */
public record JobDemand(
    JobId job,
    JobClaim claim,
    long arrivedTokens,
    long backlogTokens,
    JobService service,
    Cadence cadence,
    long phaseRestTokens) {
  public static final long NOT_KNOWN = -1;

  /** Bound on either part of the demand. */
  public static final long TOKENS_MAX = 1L << 50;

  public JobDemand {
    if (arrivedTokens < 0
        || arrivedTokens > TOKENS_MAX
        || backlogTokens < 0
        || backlogTokens > TOKENS_MAX) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": demand must be 0 to "
              + TOKENS_MAX
              + " tokens, not "
              + arrivedTokens
              + " arrived and "
              + backlogTokens
              + " waiting");
    }
    if (phaseRestTokens < NOT_KNOWN) {
      throw new IllegalArgumentException(
          "job " + job + ": " + phaseRestTokens + " tokens are left of its phase");
    }
  }

  /** A job of which it is only known what it wants. */
  public JobDemand(JobId job, JobClaim claim, long arrivedTokens, long backlogTokens) {
    this(job, claim, arrivedTokens, backlogTokens, JobService.NONE, Cadence.UNKNOWN, NOT_KNOWN);
  }

  /** The same of so many nodes, its own application, one process, the weight 1. */
  public JobDemand(JobId job, long nodes, long arrivedTokens, long backlogTokens) {
    this(job, JobClaim.of(job, nodes), arrivedTokens, backlogTokens);
  }

  public static JobDemand of(String job, long nodes, long arrivedTokens) {
    return new JobDemand(JobId.of(job), nodes, arrivedTokens, 0);
  }

  /** The same with another claim. */
  public JobDemand withClaim(JobClaim other) {
    return new JobDemand(
        job, other, arrivedTokens, backlogTokens, service, cadence, phaseRestTokens);
  }

  public JobDemand withNodes(long count) {
    return withClaim(claim.withNodes(count));
  }

  public JobDemand withWeight(long given) {
    return withClaim(claim.withWeight(given));
  }

  public JobDemand withReserved(long perSecond) {
    return withClaim(claim.withReserved(perSecond));
  }

  public JobDemand withApplication(JobId run) {
    return withClaim(claim.withApplication(run));
  }

  public JobDemand withProcesses(long count) {
    return withClaim(claim.withProcesses(count));
  }

  /** The same, served so. */
  public JobDemand withService(JobService seen) {
    return new JobDemand(job, claim, arrivedTokens, backlogTokens, seen, cadence, phaseRestTokens);
  }

  /** The same at this cadence. */
  public JobDemand withCadence(Cadence known) {
    return new JobDemand(job, claim, arrivedTokens, backlogTokens, service, known, phaseRestTokens);
  }

  /** The same with so much left of its phase. */
  public JobDemand withPhaseRest(long tokens) {
    return new JobDemand(job, claim, arrivedTokens, backlogTokens, service, cadence, tokens);
  }

  public long nodes() {
    return claim.nodes();
  }

  public long weight() {
    return claim.weight();
  }

  public long reservedPerSecond() {
    return claim.reservedPerSecond();
  }

  public JobId application() {
    return claim.application();
  }

  public long processes() {
    return claim.processes();
  }

  /** Worth of all that it wanted served in the period. */
  public long wantedTokens() {
    return arrivedTokens + backlogTokens;
  }
}
