package dev.sluice.core.policy.padll;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One of PADLL's algorithms as a policy for a target, which is the resource that it divides.
 *
 * <p>A job uses what it wanted served in the period, its weight is its priority, and it demands
 * what is reserved for it. Where nothing is, it demands its part of the target by weight.
 */
public final class PadllPolicy implements Policy<ResourceDivision> {
  private final PadllAlgorithm algorithm;

  public PadllPolicy(PadllAlgorithm algorithm) {
    this.algorithm = algorithm;
  }

  @Override
  public ResourceDivision initialState(Cluster cluster) {
    return ResourceDivision.none(resource(cluster.only()));
  }

  private static Resource resource(Target target) {
    boolean operations = target.unit().tokensPerOperation() == 1;
    boolean bytes = target.unit().tokensPerByte() > 0;
    Counted counted =
        operations == bytes ? Counted.TOKENS : bytes ? Counted.BYTES : Counted.OPERATIONS;
    return new Resource(target.name(), target.tokensPerSecond(), counted);
  }

  @Override
  public Step<ResourceDivision> decide(ResourceDivision before, Observation seen) {
    Resource resource = resource(seen.target());
    ResourceDivision after = before.next(algorithm, resource, uses(resource, seen));
    Allocation allocation =
        new Allocation(Map.of(resource.name(), shares(after, seen.periodNanos())));
    return new Step<>(after, allocation, new PadllExplanation(algorithm, after));
  }

  private static List<JobUse> uses(Resource resource, Observation seen) {
    long weights = 0;
    for (JobDemand demand : seen.jobs()) {
      weights += demand.weight();
    }
    List<JobUse> uses = new ArrayList<>(seen.jobs().size());
    for (JobDemand demand : seen.jobs()) {
      long reserved = demand.reservedPerSecond();
      double byWeight = (double) resource.maximumPerSecond() * demand.weight() / weights;
      uses.add(
          new JobUse(
              demand.job(),
              reserved == JobClaim.NOT_RESERVED ? byWeight : (double) reserved,
              perSecond(demand.wantedTokens(), seen.periodNanos()),
              demand.weight()));
    }
    return uses;
  }

  private static double perSecond(long tokens, long periodNanos) {
    double perSecond = (double) tokens * Rate.NANOS_PER_SECOND / periodNanos;
    return Math.min(perSecond, JobUse.USAGE_PER_SECOND_MAX);
  }

  private static Shares shares(ResourceDivision division, long periodNanos) {
    int count = division.size();
    double periodSeconds = (double) periodNanos / Rate.NANOS_PER_SECOND;
    JobId[] jobs = new JobId[count];
    double[] tokens = new double[count];
    long[] weights = new long[count];
    for (int i = 0; i < count; i++) {
      jobs[i] = division.job(i);
      tokens[i] = division.rate(i) * periodSeconds;
      weights[i] = division.use(i).priority();
    }
    double budgetTokens = division.resource().maximumPerSecond() * periodSeconds;
    return Shares.dividing(budgetTokens, jobs, tokens, weights, periodNanos);
  }
}
