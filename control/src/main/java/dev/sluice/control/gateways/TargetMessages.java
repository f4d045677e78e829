package dev.sluice.control.gateways;

import dev.sluice.control.v1.JobShare;
import dev.sluice.control.v1.Rhythm;
import dev.sluice.control.v1.TargetShares;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.schedule.MaxWait;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import java.util.Comparator;
import java.util.List;

/**
 * What a policy sees and says, on its way between gateways and a controller.
 *
 * <p>Theorem. What is written and read again is what it was: a policy decides the same wherever it
 * runs.
 */
final class TargetMessages {
  private TargetMessages() {}

  static dev.sluice.control.v1.JobDemand write(JobDemand job) {
    dev.sluice.control.v1.JobDemand.Builder written =
        dev.sluice.control.v1.JobDemand.newBuilder()
            .setJob(job.job().toString())
            .setNodes(job.nodes())
            .setArrivedTokens(job.arrivedTokens())
            .setBacklogTokens(job.backlogTokens())
            .setApplication(job.application().equals(job.job()) ? "" : job.application().toString())
            .setProcesses(job.processes())
            .setWeight(job.weight())
            .setReservedPerSecond(job.reservedPerSecond() + 1)
            .setServedTokens(job.service().servedTokens())
            .setOldestWaitNanos(job.service().oldestWaitNanos())
            .setLatencyNanos(job.service().latencyNanos() + 1)
            .setPhaseRestTokens(job.phaseRestTokens() + 1)
            .setPhaseTokens(job.claim().phaseTokens());
    switch (job.cadence()) {
      case Cadence.Unknown _ -> {}
      case Cadence.Every(long nanos, double confidence) ->
          written.setEvery(Rhythm.newBuilder().setNanos(nanos).setConfidence(confidence));
      case Cadence.AtLeast(long nanos) -> written.setAtLeastNanos(nanos);
      case Cadence.Prioritised(double priority) -> written.setPriority(priority);
    }
    return written.build();
  }

  static JobDemand read(dev.sluice.control.v1.JobDemand written) throws RefusedException {
    try {
      JobId job = JobId.of(written.getJob());
      return new JobDemand(
          job,
          new JobClaim(
              written.getNodes(),
              written.getWeight(),
              written.getReservedPerSecond() - 1,
              written.getApplication().isEmpty() ? job : JobId.of(written.getApplication()),
              written.getProcesses(),
              written.getPhaseTokens()),
          written.getArrivedTokens(),
          written.getBacklogTokens(),
          new JobService(
              written.getServedTokens(),
              written.getOldestWaitNanos(),
              written.getLatencyNanos() - 1),
          cadence(written),
          written.getPhaseRestTokens() - 1);
    } catch (IllegalArgumentException e) {
      throw RefusedException.badMessage(String.valueOf(e.getMessage()));
    }
  }

  private static Cadence cadence(dev.sluice.control.v1.JobDemand written) {
    return switch (written.getCadenceCase()) {
      case EVERY ->
          new Cadence.Every(written.getEvery().getNanos(), written.getEvery().getConfidence());
      case AT_LEAST_NANOS -> new Cadence.AtLeast(written.getAtLeastNanos());
      case PRIORITY -> new Cadence.Prioritised(written.getPriority());
      case CADENCE_NOT_SET -> Cadence.UNKNOWN;
    };
  }

  static TargetShares write(int target, Shares shares) {
    TargetShares.Builder written =
        TargetShares.newBuilder()
            .setTarget(target)
            .setPeriodNanos(shares.periodNanos())
            .setPartsPerToken(shares.partsPerToken())
            .setTurnsByArrival(shares.turns().order() == Turns.Order.ARRIVAL);
    switch (shares.turns().maxWait()) {
      case MaxWait.Automatic _ -> {}
      case MaxWait.Unbounded _ -> written.setWaitsUnbounded(true);
      case MaxWait.Bounded(long nanos) -> written.setMaxWaitNanos(nanos);
    }
    for (int i = 0; i < shares.size(); i++) {
      written.addJobs(
          JobShare.newBuilder()
              .setJob(shares.job(i).toString())
              .setTokens(shares.isLimited(i) ? shares.limitParts(i) + 1 : 0)
              .setWeight(shares.weight(i))
              .setBorrowedTokens(shares.borrowedParts(i))
              .setReservedTokens(shares.reservedParts(i)));
    }
    return written.build();
  }

  static Shares read(TargetShares written) throws RefusedException {
    List<JobShare> ordered =
        written.getJobsList().stream().sorted(Comparator.comparing(JobShare::getJob)).toList();
    JobId[] jobs = new JobId[ordered.size()];
    long[] parts = new long[jobs.length];
    long[] weights = new long[jobs.length];
    long[] borrowed = new long[jobs.length];
    long[] reserved = new long[jobs.length];
    long periodNanos = written.getPeriodNanos();
    if (periodNanos < 1 || periodNanos > Observation.PERIOD_NANOS_MAX) {
      throw RefusedException.badMessage("shares of a period of " + periodNanos + " ns");
    }
    try {
      for (int i = 0; i < jobs.length; i++) {
        JobShare share = ordered.get(i);
        jobs[i] = JobId.of(share.getJob());
        parts[i] = share.getTokens() == 0 ? Shares.UNLIMITED : share.getTokens() - 1;
        weights[i] = share.getWeight();
        borrowed[i] = share.getBorrowedTokens();
        reserved[i] = share.getReservedTokens();
      }
      long partsPerToken = written.getPartsPerToken() == 0 ? 1 : written.getPartsPerToken();
      return Shares.ofParts(jobs, parts, weights, partsPerToken, periodNanos)
          .withBorrowed(borrowed)
          .withReserves(reserved)
          .withTurns(turns(written));
    } catch (IllegalArgumentException e) {
      throw RefusedException.badMessage(String.valueOf(e.getMessage()));
    }
  }

  private static Turns turns(TargetShares written) {
    MaxWait maxWait = MaxWait.AUTOMATIC;
    if (written.getWaitsUnbounded()) {
      maxWait = MaxWait.UNBOUNDED;
    } else if (written.getMaxWaitNanos() != 0) {
      maxWait = new MaxWait.Bounded(written.getMaxWaitNanos());
    }
    return new Turns(written.getTurnsByArrival() ? Turns.Order.ARRIVAL : Turns.Order.ID, maxWait);
  }
}
