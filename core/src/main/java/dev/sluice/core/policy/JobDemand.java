package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;

/**
 * What one job did on one target during a period.
 *
 * @param nodes compute nodes of the job, its claim to a share
 * @param arrivedTokens worth of the requests that arrived in the period, served or not: a throttled
 *     job must be able to show that it wants more than it gets
 * @param backlogTokens worth of the requests that arrived earlier and still wait at its end
 * @param application what is run: the same in every run of it, so that a policy can remember it
 *     from one run to the next; the job itself where nothing more is known
 * @param processes how many of the job's processes do I/O here; 1 where it is not known
 * @param weight a claim that somebody gave the job, for policies that weigh by it
 * @param cadence how often it does I/O here, for policies that go by it
 * @param reservedPerSecond tokens a second that somebody reserved for it here, for policies that go
 *     by it; {@link #NOT_RESERVED} where nobody did
 */
public record JobDemand(
    JobId job,
    long nodes,
    long arrivedTokens,
    long backlogTokens,
    JobId application,
    long processes,
    long weight,
    Cadence cadence,
    long reservedPerSecond) {
  /** Nobody reserved anything for the job. */
  public static final long NOT_RESERVED = -1;

  /** Bound on the nodes of a job, so that sums over all jobs stay exact. */
  public static final long NODES_MAX = 10_000_000;

  /** Bound on the processes of a job on one target. */
  public static final long PROCESSES_MAX = 10_000_000;

  /** Bound on a given weight. */
  public static final long WEIGHT_MAX = 1_000_000;

  /** Bound on either part of the demand. */
  public static final long TOKENS_MAX = 1L << 50;

  public JobDemand {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          "job " + job + ": nodes must be 1 to " + NODES_MAX + ", not " + nodes);
    }
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
    if (processes < 1 || processes > PROCESSES_MAX) {
      throw new IllegalArgumentException(
          "job " + job + ": processes must be 1 to " + PROCESSES_MAX + ", not " + processes);
    }
    if (weight < 1 || weight > WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "job " + job + ": its weight must be 1 to " + WEIGHT_MAX + ", not " + weight);
    }
    if (reservedPerSecond < NOT_RESERVED || reservedPerSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": what is reserved must be 0 to "
              + Rate.TOKENS_PER_SECOND_MAX
              + " tokens/s, not "
              + reservedPerSecond);
    }
  }

  /** A job of whose cadence nothing is known, and for which nothing is reserved. */
  public JobDemand(
      JobId job,
      long nodes,
      long arrivedTokens,
      long backlogTokens,
      JobId application,
      long processes,
      long weight) {
    this(
        job,
        nodes,
        arrivedTokens,
        backlogTokens,
        application,
        processes,
        weight,
        Cadence.UNKNOWN,
        NOT_RESERVED);
  }

  /** A job of which no more is known: its own application, one process, the weight 1. */
  public JobDemand(JobId job, long nodes, long arrivedTokens, long backlogTokens) {
    this(job, nodes, arrivedTokens, backlogTokens, job, 1, 1);
  }

  public static JobDemand of(String job, long nodes, long arrivedTokens) {
    return new JobDemand(JobId.of(job), nodes, arrivedTokens, 0);
  }

  /** The same of so many processes. */
  public JobDemand withProcesses(long count) {
    return new JobDemand(
        job,
        nodes,
        arrivedTokens,
        backlogTokens,
        application,
        count,
        weight,
        cadence,
        reservedPerSecond);
  }

  /** The same as a run of this application. */
  public JobDemand withApplication(JobId run) {
    return new JobDemand(
        job,
        nodes,
        arrivedTokens,
        backlogTokens,
        run,
        processes,
        weight,
        cadence,
        reservedPerSecond);
  }

  /** The same with so many nodes. */
  public JobDemand withNodes(long count) {
    return new JobDemand(
        job,
        count,
        arrivedTokens,
        backlogTokens,
        application,
        processes,
        weight,
        cadence,
        reservedPerSecond);
  }

  /** The same at this cadence. */
  public JobDemand withCadence(Cadence known) {
    return new JobDemand(
        job,
        nodes,
        arrivedTokens,
        backlogTokens,
        application,
        processes,
        weight,
        known,
        reservedPerSecond);
  }

  /** The same with this weight. */
  public JobDemand withWeight(long given) {
    return new JobDemand(
        job,
        nodes,
        arrivedTokens,
        backlogTokens,
        application,
        processes,
        given,
        cadence,
        reservedPerSecond);
  }

  /** The same with so many tokens a second reserved for it. */
  public JobDemand withReserved(long perSecond) {
    return new JobDemand(
        job,
        nodes,
        arrivedTokens,
        backlogTokens,
        application,
        processes,
        weight,
        cadence,
        perSecond);
  }

  /** All that the job wanted served in the period. */
  public long wantedTokens() {
    return arrivedTokens + backlogTokens;
  }
}
