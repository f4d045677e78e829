package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.CountedRate;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PerJob;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Reserved;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;

/**
 * Gives each job a weight by its nodes, or by what somebody says, and what somebody reserved for
 * it, here or of a rate over all targets, and tells the scheduler what somebody knows of its
 * phases. Nobody is limited; who goes first is found where the requests are, from what was seen of
 * each job there.
 */
final class Sojourn implements Policy<Nothing> {
  private static final double NO_RATE = 0;

  private final PerJob<Long> phases;
  private final PerJob<Long> weights;
  private final PerJob<CountedRate> rates;
  private final double error;

  /**
   * @param phases how large phases are, as somebody told
   * @param weights what jobs weigh of whom it is not their nodes
   * @param rates what jobs are to have on all their targets together
   * @param error by which part what was told is falsified, up or down
   */
  Sojourn(PerJob<Long> phases, PerJob<Long> weights, PerJob<CountedRate> rates, double error) {
    this.phases = phases;
    this.weights = weights;
    this.rates = rates;
    this.error = error;
  }

  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  @Override
  public Step<Nothing> decide(Nothing remembered, Observation observed) {
    Observation seen = withRates(observed);
    List<JobDemand> demands = seen.jobs();
    JobId[] jobs = new JobId[demands.size()];
    long[] weighs = new long[jobs.length];
    long[] told = new long[jobs.length];
    for (int i = 0; i < jobs.length; i++) {
      JobDemand demand = demands.get(i);
      jobs[i] = demand.job();
      weighs[i] = weight(demand, seen);
      told[i] = told(demand, seen.nowNanos());
    }
    Reserved reserves = Reserved.of(seen);
    Shares shares = reserves.shares(jobs, weighs).withPhases(told);
    return new Step<>(
        remembered,
        new Allocation(Map.of(seen.target().name(), shares)),
        new SojournExplanation(seen, reserves, shares));
  }

  /**
   * What was seen, with what is reserved for jobs that are to have a rate on all their targets
   * together. How much of it a job wants elsewhere is not known here. So as much is reserved as it
   * wants here, up to all of it: where that is more for all jobs than may be reserved, all are cut
   * in proportion, and each has the same part of what it wants.
   */
  private Observation withRates(Observation seen) {
    if (rates.isEmpty()) {
      return seen;
    }
    List<JobDemand> demands = seen.jobs().stream().map(demand -> withRate(demand, seen)).toList();
    return Observation.of(
        seen.target(), seen.nowNanos(), seen.periodNanos(), demands, seen.ended());
  }

  private JobDemand withRate(JobDemand demand, Observation seen) {
    double rate = rateTokens(demand, seen);
    if (rate == NO_RATE) {
      return demand;
    }
    long reserved = (long) Math.min(rate, perSecond(demand.wantedTokens(), seen));
    return demand.withReserved(Math.max(demand.reservedPerSecond(), reserved));
  }

  /** Beyond its reserve a job weighs by the part of its rate that it asks for here. */
  private long weight(JobDemand demand, Observation seen) {
    Long given = weights.of(demand.job());
    long weight = given == null ? demand.nodes() : given;
    double rate = rateTokens(demand, seen);
    if (rate == NO_RATE) {
      return weight;
    }
    double part = Math.min(1, perSecond(demand.arrivedTokens(), seen) / rate);
    return Math.max(1, Math.round((double) weight * part));
  }

  private static double perSecond(long tokens, Observation seen) {
    return (double) tokens * Rate.NANOS_PER_SECOND / seen.periodNanos();
  }

  /**
   * What a job is to have on all its targets together, where it has a rate in what this one counts.
   */
  private double rateTokens(JobDemand demand, Observation seen) {
    CountedRate rate = rates.of(demand.job());
    if (rate == null) {
      return NO_RATE;
    }
    TokenUnit unit = seen.target().unit();
    long tokens =
        switch (rate.counted()) {
          case BYTES -> unit.tokensPerByte();
          case OPERATIONS -> unit.tokensPerOperation();
          case TOKENS -> 1;
        };
    return Math.min((double) rate.perSecond() * tokens, (double) Rate.TOKENS_PER_SECOND_MAX);
  }

  private long told(JobDemand demand, long nowNanos) {
    JobId job = demand.job();
    Long written = phases.of(job);
    long tokens = written == null ? demand.claim().phaseTokens() : written;
    if (tokens == 0) {
      return 0;
    }
    // Which of both it is is as good as random, for every job and at every decision.
    long mixed = (nowNanos ^ (long) job.hashCode() << 32) * 0x9e3779b97f4a7c15L;
    return Math.max(1, (long) (tokens * (1 + (mixed < 0 ? -error : error))));
  }
}
