package dev.sluice.core.policy.sojourn;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.FairShares;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.MaxMinFill;
import dev.sluice.core.policy.progress.ProgressExplanation;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;
import dev.sluice.core.policy.progress.RateAllocation;
import dev.sluice.core.policy.progress.ShareBasis;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The same idea over all targets of jobs that move as fast as the slowest of theirs, where only
 * rates can be set. The virtual schedule is max-min fairness over all targets. Everybody has its
 * rate as a floor, but for those with time to spare: whose phase, if they had their targets to
 * themselves, would be done in a small part of the time that it has by the virtual schedule. These
 * have a part of it. What that frees goes to who has least time left by the virtual schedule, as
 * far as its targets go, and the rest is filled by max-min fairness.
 *
 * <p>Theorem. No capacity is exceeded. Who has no time to spare has at least its max-min rate, and
 * who has, at least {@code keep} of it: so a phase takes at most {@code 1/keep} times as long as by
 * max-min fairness among those that are there. What is handed out to those with least time is at
 * least {@code 1/d} of the most that any way to hand it out is worth, where a job is on d targets
 * at most and a token is worth the more the less time its job has: each that is given takes from at
 * most d others that are worth no more.
 */
final class SojournAll implements Policy<SojournAllState> {
  private final ShareBasis claim;
  private final double slack;
  private final double keep;
  private final @Nullable LocalRule local;

  SojournAll(ShareBasis claim, double slack, double keep, @Nullable LocalRule local) {
    this.claim = claim;
    this.slack = slack;
    this.keep = keep;
    this.local = local;
  }

  @Override
  public @Nullable LocalRule local() {
    return local;
  }

  @Override
  public SojournAllState initialState(Cluster cluster) {
    return SojournAllState.EMPTY;
  }

  @Override
  public StateCodec<SojournAllState> codec() {
    return new SojournAllCodec();
  }

  @Override
  public Step<SojournAllState> decide(SojournAllState state, Observation seen) {
    JobsOnTargets on = new JobsOnTargets(seen, claim);
    double[] fair = FairShares.synchronous(on);
    double[] filled = MaxMinFill.fill(on, fair);
    Map<JobId, Double> moved = moved(seen);
    Map<JobId, SojournAllState.Phase> phases = new TreeMap<>();
    double[] leftSeconds = new double[on.jobs()];
    double[] floors = filled.clone();
    for (int i = 0; i < on.jobs(); i++) {
      SojournAllState.Phase phase =
          state.phase(on.job(i)).goneOn(moved.getOrDefault(on.job(i), 0.0));
      double tokens = state.expectedTokens(on.application(i));
      leftSeconds[i] = Double.POSITIVE_INFINITY;
      if (tokens > phase.tokens() && tokens > phase.virtualTokens()) {
        double perSecond = on.tokensPerSecond();
        leftSeconds[i] = (tokens - phase.virtualTokens()) / (filled[i] * perSecond);
        double aloneSeconds = (tokens - phase.tokens()) / (alone(on, i) * perSecond);
        if (aloneSeconds < slack * leftSeconds[i]) {
          floors[i] = keep * filled[i];
        }
      }
      double virtual = filled[i] * on.tokensPerPeriod();
      phases.put(on.job(i), phase.withVirtual(phase.virtualTokens() + virtual, on.application(i)));
    }
    double[] rates = MaxMinFill.fill(on, urgentFirst(on, floors, leftSeconds));
    return new Step<>(
        state.next(phases, seen.nowNanos()),
        RateAllocation.of(on, rates),
        new ProgressExplanation(
            on,
            rates,
            fair,
            CouponFigures.NONE,
            "who has time to spare by max-min fairness leaves some of it to who has least"));
  }

  /** What one process of each job moved on the slowest of its targets. */
  private static Map<JobId, Double> moved(Observation seen) {
    Map<JobId, Double> moved = new HashMap<>();
    for (List<JobDemand> onTarget : seen.targets().values()) {
      for (JobDemand demand : onTarget) {
        if (demand.wantedTokens() > 0) {
          double tokens = (double) demand.service().servedTokens() / demand.processes();
          moved.merge(demand.job(), tokens, Math::min);
        }
      }
    }
    return moved;
  }

  /** The rate that a job would have if it had its targets to itself. */
  private static double alone(JobsOnTargets on, int job) {
    double rate = Double.POSITIVE_INFINITY;
    for (int e = on.begin(job); e < on.begin(job + 1); e++) {
      rate = Math.min(rate, on.capacity(on.entryTarget(e)) / on.entryProcesses(e));
    }
    return rate;
  }

  /** Hands out what floors leave to who has least time, as far as its targets go. */
  private static double[] urgentFirst(JobsOnTargets on, double[] floors, double[] leftSeconds) {
    double[] rates = floors.clone();
    double[] gaps = on.gaps(floors);
    int[] order =
        IntStream.range(0, rates.length)
            .filter(i -> leftSeconds[i] < Double.POSITIVE_INFINITY)
            .boxed()
            .sorted((a, b) -> Double.compare(leftSeconds[a], leftSeconds[b]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i : order) {
      double more = Double.POSITIVE_INFINITY;
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        more = Math.min(more, Math.max(0, gaps[on.entryTarget(e)]) / on.entryProcesses(e));
      }
      rates[i] += more;
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        gaps[on.entryTarget(e)] -= more * on.entryProcesses(e);
      }
    }
    return rates;
  }
}
