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
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.mlwdf.MlwdfScheduler;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** Bound on what is asked of all servers together, in parts. */
  private static final long REQUIRED_PARTS_MAX = 1L << 62;

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
    return new SdqProState(seed);
  }

  @Override
  public StateCodec<SdqProState> codec() {
    return new SdqProCodec(seed);
  }

  /**
   * One slot.
   *
   * <p>Theorem. No application with a rate gets more tokens in all than it desires; no server
   * grants more than it can serve, nor less while somebody without a rate asks it for something.
   * Servers of which nothing was seen have no part in it, and make no difference. Equal states and
   * observations give equal tokens.
   */
  @Override
  public Step<SdqProState> decide(SdqProState state, Observation seen) {
    List<Target> servers = reporting(seen);
    long parts = partsPerToken(servers, seen);
    Map<JobId, JobDemand[]> reported = reported(servers, seen);
    SplitMix random = new SplitMix(state.random());
    List<Application> applications = new ArrayList<>();
    for (Map.Entry<JobId, JobDemand[]> job : reported.entrySet()) {
      Application application = application(job.getKey(), job.getValue(), servers, parts, seen);
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
      long limit = (long) (tokensPerSlot(servers.get(s).tokensPerSecond(), seen) * parts);
      grants[s] = grants(applications, s, limit, parts);
      giveTheRest(applications, s, limit, grants[s], parts);
      shares.put(servers.get(s).name(), shares(applications, s, grants[s], parts, seen));
    }
    return new Step<>(
        new SdqProState(random.state()),
        new Allocation(shares),
        SdqProExplanation.of(servers, applications, grants));
  }

  /**
   * The servers of which something was seen. Of one that keeps silent nobody knows what is required
   * there: all its tokens would seem to spare, and be lent, while it goes on as it did.
   */
  private static List<Target> reporting(Observation seen) {
    return seen.cluster().targets().stream()
        .filter(server -> seen.targets().containsKey(server.name()))
        .toList();
  }

  /** Tokens are counted as finely as the slowest server needs. */
  private static long partsPerToken(List<Target> servers, Observation seen) {
    long slowest = Rate.TOKENS_PER_SECOND_MAX;
    for (Target server : servers) {
      slowest = Math.min(slowest, server.tokensPerSecond());
    }
    return Shares.partsPerToken(tokensPerSlot(slowest, seen), seen.periodNanos());
  }

  private static double tokensPerSlot(long perSecond, Observation seen) {
    return (double) perSecond * seen.periodNanos() / Rate.NANOS_PER_SECOND;
  }

  /** By job, what each server reports of it; null where it reports nothing. */
  private static Map<JobId, JobDemand[]> reported(List<Target> servers, Observation seen) {
    Map<JobId, JobDemand[]> reported = new TreeMap<>();
    for (int s = 0; s < servers.size(); s++) {
      for (JobDemand demand : seen.on(servers.get(s).name())) {
        reported.computeIfAbsent(demand.job(), _ -> new JobDemand[servers.size()])[s] = demand;
      }
    }
    return reported;
  }

  private Application application(
      JobId job, JobDemand[] reports, List<Target> servers, long parts, Observation seen) {
    long requiredMax = REQUIRED_PARTS_MAX / servers.size() / parts;
    PolicyLine line = PolicyLine.SILENT;
    long[] required = new long[reports.length];
    long asked = 0;
    for (int s = reports.length - 1; s >= 0; s--) {
      if (reports[s] != null) {
        line = lines.about(reports[s]);
        required[s] = Math.min(reports[s].wantedTokens(), requiredMax) * parts;
        asked += required[s];
      }
    }
    Quantities.CountedRate rate = line.rate();
    long desired = asked;
    if (rate != null) {
      for (Target server : servers) {
        requireSameUnit(job, rate, server);
      }
      desired = (long) (tokensPerSlot(rate.perSecond(), seen) * parts);
    }
    return new Application(job, line, desired, parts, new VirtualBuckets(desired, required));
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

  private static long[] grants(
      List<Application> applications, int server, long limit, long partsPerToken) {
    long[] tokens = new long[applications.size()];
    long[] useful = new long[applications.size()];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = applications.get(i).buckets().tokens(server);
      useful[i] = applications.get(i).buckets().useful(server);
    }
    return ServerLimit.grants(tokens, useful, limit, partsPerToken);
  }

  /**
   * What is left of a server goes to those to whom nobody gave a rate: first what they require
   * there and their tokens elsewhere did not cover, then in equal parts. Who has few requests
   * outstanding asks for more only once they are served, and would else be held to what it asked
   * for in a slot while the server idles.
   */
  private static void giveTheRest(
      List<Application> applications, int server, long limit, long[] grants, long partsPerToken) {
    long[] unmet = new long[grants.length];
    int taking = 0;
    long left = limit;
    for (int i = 0; i < grants.length; i++) {
      left -= grants[i];
      if (takesTheRest(applications.get(i), server)) {
        taking++;
        unmet[i] = Math.max(0, applications.get(i).buckets().required(server) - grants[i]);
      }
    }
    long[] more = ServerLimit.part(unmet, left, partsPerToken);
    left -= Arrays.stream(more).sum();
    for (int i = 0; i < grants.length; i++) {
      boolean takes = takesTheRest(applications.get(i), server);
      grants[i] += more[i] + (takes ? left / taking : 0);
    }
  }

  private static boolean takesTheRest(Application application, int server) {
    return application.line().rate() == null && application.isListedOn(server);
  }

  private Shares shares(
      List<Application> applications,
      int server,
      long[] grants,
      long partsPerToken,
      Observation seen) {
    int[] listed =
        IntStream.range(0, grants.length)
            .filter(i -> applications.get(i).isListedOn(server))
            .toArray();
    JobId[] jobs = new JobId[listed.length];
    long[] parts = new long[listed.length];
    long[] weights = new long[listed.length];
    long[] borrowed = new long[listed.length];
    for (int k = 0; k < listed.length; k++) {
      Application application = applications.get(listed[k]);
      jobs[k] = application.job();
      parts[k] = grants[listed[k]];
      borrowed[k] = Math.min(application.buckets().borrowed(server), parts[k]);
      double ratePerSecond =
          Math.max(1, application.desiredTokens() * Rate.NANOS_PER_SECOND / seen.periodNanos());
      double gamma = urgency / ratePerSecond * MlwdfScheduler.GAMMA_ONE;
      weights[k] = (long) Math.clamp(gamma, 1, WEIGHT_MAX);
    }
    return Shares.ofParts(jobs, parts, weights, partsPerToken, seen.periodNanos())
        .withBorrowed(borrowed);
  }
}
