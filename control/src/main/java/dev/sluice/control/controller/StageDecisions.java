package dev.sluice.control.controller;

import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.Limit;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.RateSplit;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.stage.StageJob;
import dev.sluice.control.v1.NewcomerLimits;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.padll.ResourceDivision;
import dev.sluice.core.policy.registry.ResourcePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides what each job may do, once a cycle: limits first, then what is left of each resource.
 *
 * <p>Theorem. For each resource the rates of all jobs add up to at most its maximum. No job, and no
 * user's jobs together, may do more than a limit says that holds, and what it let them save.
 *
 * <p>Not thread-safe.
 */
final class StageDecisions {
  static final long UNLIMITED = ResourceShares.UNLIMITED;

  /** What jobs may do together in the cycle in which they come: one part in so many. */
  private static final long NEWCOMER_PARTS = 100;

  /** A resource is short of when this much of it is used, in tenths. */
  private static final long SHORT_TENTHS = 9;

  private Plan plan = new Plan(ControlSettings.NONE);
  private final Map<RateKey, ResourceShares> shares = new LinkedHashMap<>();
  private final long cycleNanos;
  private final BurstCredits credits;
  private long turn;

  /** Settings, with all that is asked of them every cycle worked out once. */
  private static final class Plan {
    final ControlSettings settings;
    final List<RateKey> keys = new ArrayList<>();
    final List<ResourcePolicy> policies = new ArrayList<>();
    final long[] keyBits;

    Plan(ControlSettings settings) {
      this.settings = settings;
      for (SharedResource resource : settings.resources()) {
        keys.add(RateKey.of(resource.key()));
        policies.add(ResourcePolicy.named(resource.algorithm(), resource.algorithmSettings()));
      }
      for (Limit limit : settings.limits()) {
        RateKey key = RateKey.of(limit.key());
        if (!keys.contains(key)) {
          keys.add(key);
        }
      }
      keyBits = RateKey.bits(keys);
    }
  }

  /** Decides as often as this. */
  StageDecisions(long cycleNanos) {
    this.cycleNanos = cycleNanos;
    this.credits = new BurstCredits(cycleNanos);
  }

  /**
   * Goes by these settings from now on.
   *
   * @throws IllegalArgumentException if they name an algorithm that there is not, or set it badly;
   *     those before stay
   */
  void follow(ControlSettings settings) {
    if (settings.revision() != plan.settings.revision() || !settings.equals(plan.settings)) {
      plan = new Plan(settings);
      shareBy(plan);
      credits.keep(settings.limits());
    }
  }

  /** What is known of jobs is known also by other settings of the same policy. */
  private void shareBy(Plan now) {
    Map<RateKey, ResourceShares> before = new LinkedHashMap<>(shares);
    shares.clear();
    for (int k = 0; k < now.policies.size(); k++) {
      RateKey key = now.keys.get(k);
      ResourceShares known = before.get(key);
      ResourceShares next =
          switch (now.policies.get(k)) {
            case ResourcePolicy.Padll(var algorithm) -> new PadllShares(key, algorithm);
            case ResourcePolicy.Sojourn(var setting) ->
                known instanceof SojournShares same
                    ? same.following(setting)
                    : new SojournShares(key, setting, cycleNanos);
          };
      shares.put(key, next);
    }
  }

  ControlSettings settings() {
    return plan.settings;
  }

  /** All that is divided or limited. */
  List<RateKey> keys() {
    return plan.keys;
  }

  /** What the last decision made of each resource. */
  Map<RateKey, ResourceDivision> divisions() {
    Map<RateKey, ResourceDivision> divisions = new LinkedHashMap<>();
    shares.forEach((key, share) -> divisions.put(key, share.division()));
    return divisions;
  }

  /** Why each job has what it has of a resource; null where demands say it all. */
  @Nullable Explanation explanation(RateKey key) {
    ResourceShares share = shares.get(key);
    return share == null ? null : share.explanation();
  }

  /** What jobs may do that nobody has heard of yet, so that many at once do not do too much. */
  NewcomerLimits newcomers(int agents) {
    // In steps, so that not every node that comes changes what all others must be told.
    long steps = Integer.highestOneBit(Math.max(1, 2 * agents - 1));
    NewcomerLimits.Builder limits = NewcomerLimits.newBuilder();
    for (SharedResource resource : plan.settings.resources()) {
      long perNode = Math.max(1, resource.maximumPerSecond() / (NEWCOMER_PARTS * steps));
      limits.addRates(RateKey.of(resource.key()).number()).addRates(perNode + 1);
    }
    return limits.build();
  }

  /** Decides about all jobs of a group, and lets each do what was decided. */
  void decide(StageGroup group) {
    turn++;
    StageJob[] all = group.jobs().toArray(new StageJob[0]);
    Crowd crowd = plan.settings.limits().isEmpty() ? Crowd.NOBODY : new Crowd(all, plan.settings);
    for (int k = 0; k < plan.keys.size(); k++) {
      RateKey key = plan.keys.get(k);
      long[] rates = limits(key, all, crowd);
      if (k < plan.settings.resources().size()) {
        SharedResource resource = plan.settings.resources().get(k);
        Objects.requireNonNull(shares.get(key)).divide(resource, all, rates, turn);
      }
      for (int i = 0; i < all.length; i++) {
        if (rates[i] == UNLIMITED) {
          all[i].lift(key);
        } else {
          all[i].allow(key, rates[i], turn);
        }
      }
    }
    for (StageJob job : all) {
      job.liftAllBut(plan.keyBits);
    }
  }

  /** What is asked of all jobs together, found once, and not once for each of many limits. */
  private static final class Crowd {
    static final Crowd NOBODY = new Crowd(new StageJob[0], ControlSettings.NONE);

    /** Where jobs are in the list. */
    private final Map<JobId, Integer> ofJob = new HashMap<>();

    private final Map<String, List<Integer>> ofUser = new HashMap<>();

    /** By resource, whether there is too little of it for all. */
    private final boolean[] isShort;

    Crowd(StageJob[] jobs, ControlSettings settings) {
      for (int i = 0; i < jobs.length; i++) {
        ofJob.put(jobs[i].id(), i);
        ofUser.computeIfAbsent(jobs[i].user(), _ -> new ArrayList<>()).add(i);
      }
      isShort = new boolean[settings.resources().size()];
      for (int k = 0; k < isShort.length; k++) {
        SharedResource resource = settings.resources().get(k);
        RateKey shared = RateKey.of(resource.key());
        long used = 0;
        for (StageJob job : jobs) {
          used += job.usagePerSecond(shared);
        }
        isShort[k] = used / SHORT_TENTHS >= resource.maximumPerSecond() / 10;
      }
    }
  }

  /** What limits leave each job of what this is about. */
  private long[] limits(RateKey key, StageJob[] jobs, Crowd crowd) {
    long[] rates = new long[jobs.length];
    Arrays.fill(rates, UNLIMITED);
    for (Limit limit : plan.settings.limits()) {
      if (RateKey.of(limit.key()).number() != key.number() || !holds(limit, key, crowd)) {
        continue;
      }
      switch (limit.subject()) {
        case Limit.OfJob(var id) -> {
          Integer place = crowd.ofJob.get(id);
          if (place != null) {
            long used = jobs[place].usagePerSecond(key);
            rates[place] =
                ResourceShares.least(rates[place], credits.allowedPerSecond(limit, used));
          }
        }
        case Limit.OfUser(var user) -> {
          List<Integer> his = crowd.ofUser.getOrDefault(user, List.of());
          long used = his.stream().mapToLong(place -> jobs[place].usagePerSecond(key)).sum();
          limitTogether(his, credits.allowedPerSecond(limit, used), key, jobs, rates);
        }
      }
    }
    return rates;
  }

  /** Has a user's jobs share what they may do together. */
  private void limitTogether(
      List<Integer> his, long perSecond, RateKey key, StageJob[] jobs, long[] rates) {
    RateSplit.NodeClaim[] claims = new RateSplit.NodeClaim[his.size()];
    for (int k = 0; k < claims.length; k++) {
      StageJob job = jobs[his.get(k)];
      claims[k] = new RateSplit.NodeClaim(job.usagePerSecond(key), job.isPressed(key), 1);
    }
    long[] parts = RateSplit.split(perSecond, claims, turn);
    for (int k = 0; k < parts.length; k++) {
      rates[his.get(k)] = ResourceShares.least(rates[his.get(k)], parts[k]);
    }
  }

  /** A soft limit holds only while there is too little for all. */
  private boolean holds(Limit limit, RateKey key, Crowd crowd) {
    if (limit.firmness() == Limit.Firmness.HARD) {
      return true;
    }
    boolean belongs = false;
    for (int k = 0; k < plan.settings.resources().size(); k++) {
      RateKey shared = plan.keys.get(k);
      if (shared.countsBytes() == key.countsBytes()
          && (shared.operationBits() & key.operationBits()) != 0) {
        belongs = true;
        if (crowd.isShort[k]) {
          return true;
        }
      }
    }
    return !belongs;
  }
}
