package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;

/**
 * What a job is and was given, whatever it does: by what policies weigh it.
 *
 * @param nodes compute nodes of the job, its claim to a share
 * @param weight a claim that somebody gave the job, for policies that weigh by it
 * @param reservedPerSecond tokens a second that somebody reserved for it on the target; {@link
 *     #NOT_RESERVED} where nobody did
 * @param application what is run: the same in every run of it, so that a policy can remember it
 *     from one run to the next; the job itself where nothing more is known
 * @param processes how many of the job's processes do I/O on the target; 1 where it is not known
 * @param phaseTokens what a phase of its I/O comes to on the target, as somebody said; 0 where
 *     nobody did
 */
public record JobClaim(
    long nodes,
    long weight,
    long reservedPerSecond,
    JobId application,
    long processes,
    long phaseTokens) {
  /** Nobody reserved anything for the job. */
  public static final long NOT_RESERVED = -1;

  /** Bound on the nodes of a job, so that sums over all jobs stay exact. */
  public static final long NODES_MAX = 10_000_000;

  /** Bound on the processes of a job on one target. */
  public static final long PROCESSES_MAX = 10_000_000;

  /** Bound on what a phase is said to come to. */
  public static final long PHASE_MAX = 1L << 50;

  /** Bound on a given weight. */
  public static final long WEIGHT_MAX = 1_000_000;

  public JobClaim {
    requireWithin(application, "nodes", nodes, 1, NODES_MAX);
    requireWithin(application, "processes", processes, 1, PROCESSES_MAX);
    requireWithin(application, "its weight", weight, 1, WEIGHT_MAX);
    requireWithin(application, "the tokens of a phase", phaseTokens, 0, PHASE_MAX);
    if (reservedPerSecond != NOT_RESERVED) {
      requireWithin(
          application,
          "what is reserved a second",
          reservedPerSecond,
          0,
          Rate.TOKENS_PER_SECOND_MAX);
    }
  }

  /** Of which nobody said what its phases come to. */
  public JobClaim(
      long nodes, long weight, long reservedPerSecond, JobId application, long processes) {
    this(nodes, weight, reservedPerSecond, application, processes, 0);
  }

  private static void requireWithin(
      JobId application, String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "job "
              + application
              + ": "
              + what
              + " must be "
              + least
              + " to "
              + most
              + ", not "
              + value);
    }
  }

  /** Of a job of which no more is known: its own application, one process, the weight 1. */
  public static JobClaim of(JobId job, long nodes) {
    return new JobClaim(nodes, 1, NOT_RESERVED, job, 1);
  }

  public JobClaim withNodes(long count) {
    return new JobClaim(count, weight, reservedPerSecond, application, processes, phaseTokens);
  }

  public JobClaim withWeight(long given) {
    return new JobClaim(nodes, given, reservedPerSecond, application, processes, phaseTokens);
  }

  public JobClaim withReserved(long perSecond) {
    return new JobClaim(nodes, weight, perSecond, application, processes, phaseTokens);
  }

  public JobClaim withApplication(JobId run) {
    return new JobClaim(nodes, weight, reservedPerSecond, run, processes, phaseTokens);
  }

  public JobClaim withProcesses(long count) {
    return new JobClaim(nodes, weight, reservedPerSecond, application, count, phaseTokens);
  }

  public JobClaim withPhase(long tokens) {
    return new JobClaim(nodes, weight, reservedPerSecond, application, processes, tokens);
  }

  /** Whether it says the same of the job itself; where its processes are may differ by target. */
  public boolean isOfSameJob(JobClaim other) {
    return nodes == other.nodes && weight == other.weight && application.equals(other.application);
  }
}
