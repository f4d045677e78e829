package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.mlwdf.MlwdfScheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The control plane of SDQPro (Tavakoli and Chen). In every slot it generates the tokens that each
 * application desires, spreads them evenly over the servers, and lets servers on which the
 * application requires more borrow from those on which it requires less.
 *
 * <p>An application desires the rate that a policy line gives it, else what it asks for. Where
 * nobody gave it a rate it is listed only on servers that it asked something of, so that a first
 * request is never held back.
 */
final class SdqPro implements Policy<SdqProState> {
  private static final double WEIGHT_MAX = 0x1p60;

  private final PolicyLines lines;
  private final double urgency;
  private final long seed;

  /**
   * @param violation δ: how often a delay may be longer than the bound
   * @param delaySeconds T_max: the bound
   */
  SdqPro(PolicyLines lines, double violation, double delaySeconds, long seed) {
    this.lines = lines;
    this.urgency = -StrictMath.log(violation) / delaySeconds;
    this.seed = seed;
  }

  @Override
  public SdqProState initialState(Cluster cluster) {
    return new SdqProState(cluster, seed);
  }

  /**
   * One slot.
   *
   * <p>Theorem. No application gets more tokens in all than it desires; no server grants more than
   * it can serve. Equal states and observations give equal tokens.
   */
  @Override
  public Step<SdqProState> decide(SdqProState state, Observation seen) {
    List<Target> servers = state.cluster().targets();
    Map<JobId, JobDemand[]> reported = reported(servers, seen);
    SplitMix random = new SplitMix(state.random());
    List<Application> applications = new ArrayList<>();
    for (Map.Entry<JobId, JobDemand[]> job : reported.entrySet()) {
      Application application = application(job.getKey(), job.getValue(), servers, seen);
      if (application.desired() > 0 || application.line().rate() != null) {
        if (application.line().borrow()) {
          application.borrow(random);
        }
        applications.add(application);
      }
    }
    long[][] grants = new long[servers.size()][];
    Map<String, Shares> shares = new LinkedHashMap<>();
    for (int s = 0; s < grants.length; s++) {
      grants[s] = grants(applications, s, tokensPerSlot(servers.get(s), seen));
      shares.put(servers.get(s).name(), shares(applications, s, grants[s], seen.periodNanos()));
    }
    return new Step<>(
        new SdqProState(state.cluster(), random.state()),
        new Allocation(shares),
        SdqProExplanation.of(servers, applications, grants));
  }

  private static long tokensPerSlot(Target server, Observation seen) {
    return perSlot(server.tokensPerSecond(), seen);
  }

  private static long perSlot(long perSecond, Observation seen) {
    return (long) ((double) perSecond * seen.periodNanos() / Rate.NANOS_PER_SECOND);
  }

  /** By job, what each server reports of it; null where it reports nothing. */
  private static Map<JobId, JobDemand[]> reported(List<Target> servers, Observation seen) {
    boolean alone = servers.size() == 1 && seen.targets().size() == 1;
    for (String name : seen.targets().keySet()) {
      if (!alone && servers.stream().noneMatch(server -> server.name().equals(name))) {
        throw new IllegalArgumentException(
            "target " + name + " is not among those that are decided about");
      }
    }
    Map<JobId, JobDemand[]> reported = new TreeMap<>();
    for (int s = 0; s < servers.size(); s++) {
      for (JobDemand demand : alone ? seen.jobs() : seen.on(servers.get(s).name())) {
        reported.computeIfAbsent(demand.job(), _ -> new JobDemand[servers.size()])[s] = demand;
      }
    }
    return reported;
  }

  private Application application(
      JobId job, JobDemand[] reports, List<Target> servers, Observation seen) {
    PolicyLine line = PolicyLine.SILENT;
    long[] required = new long[reports.length];
    long asked = 0;
    for (int s = reports.length - 1; s >= 0; s--) {
      if (reports[s] != null) {
        line = lines.about(reports[s]);
        required[s] = reports[s].wantedTokens();
        asked += required[s];
      }
    }
    Quantities.CountedRate rate = line.rate();
    long desired = asked;
    if (rate != null) {
      for (Target server : servers) {
        requireSameUnit(job, rate, server);
      }
      desired = perSlot(rate.perSecond(), seen);
    }
    return new Application(job, line, desired, new VirtualBuckets(desired, required));
  }

  private static void requireSameUnit(JobId job, Quantities.CountedRate rate, Target server) {
    boolean bytes = server.unit().tokensPerByte() > 0;
    boolean fits =
        switch (rate.counted()) {
          case TOKENS -> true;
          case BYTES -> bytes;
          case OPERATIONS -> !bytes;
        };
    if (!fits) {
      throw new IllegalArgumentException(
          "the rate of "
              + job
              + " counts "
              + (bytes ? "operations and target " : "bytes and target ")
              + server.name()
              + (bytes ? " bytes" : " operations")
              + "; write both in the same unit");
    }
  }

  private static long[] grants(List<Application> applications, int server, long limit) {
    long[] tokens = new long[applications.size()];
    long[] useful = new long[applications.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = applications.get(i).buckets().tokens(server);
      useful[i] = applications.get(i).buckets().useful(server);
    }
    return ServerLimit.grants(tokens, useful, limit);
  }

  private Shares shares(
      List<Application> applications, int server, long[] grants, long periodNanos) {
    int[] listed =
        IntStream.range(0, grants.length)
            .filter(i -> applications.get(i).isListedOn(server))
            .toArray();
    JobId[] jobs = new JobId[listed.length];
    long[] tokens = new long[listed.length];
    long[] weights = new long[listed.length];
    long[] borrowed = new long[listed.length];
    for (int k = 0; k < listed.length; k++) {
      Application application = applications.get(listed[k]);
      jobs[k] = application.job();
      tokens[k] = grants[listed[k]];
      borrowed[k] = Math.min(application.buckets().borrowed(server), tokens[k]);
      double ratePerSecond =
          Math.max(1, (double) application.desired() * Rate.NANOS_PER_SECOND / periodNanos);
      double gamma = urgency / ratePerSecond * MlwdfScheduler.GAMMA_ONE;
      weights[k] = (long) Math.clamp(gamma, 1, WEIGHT_MAX);
    }
    return Shares.ofColumns(jobs, tokens, weights, periodNanos).withBorrowed(borrowed);
  }
}
