package dev.sluice.control.controller;

import dev.sluice.control.settings.JobTerms;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageJob;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.padll.JobUse;
import dev.sluice.core.policy.padll.Resource;
import dev.sluice.core.policy.padll.ResourceDivision;
import dev.sluice.core.policy.sojourn.SojournRates;
import dev.sluice.core.policy.sojourn.SojournSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Divides a resource by our own policy. Limits are a part of the decision, so that what they keep
 * from a job need not be divided again.
 */
final class SojournShares implements ResourceShares {
  /** A demand of nothing still weighs something: one part in so many of the whole. */
  private static final double LEAST_PARTS = 1e9;

  private final RateKey key;
  private final long cycleNanos;
  private final SojournRates policy;
  private ResourceDivision division;

  SojournShares(RateKey key, SojournSetting setting, long cycleNanos) {
    this.key = key;
    this.cycleNanos = cycleNanos;
    this.policy = new SojournRates(key.key().scope(), key.key().counted(), setting);
    this.division = ResourceDivision.none(new Resource(key.key().scope(), 1, key.key().counted()));
  }

  /** The same by other settings, with all that it knows of jobs. */
  SojournShares following(SojournSetting setting) {
    policy.follow(setting);
    return this;
  }

  @Override
  public ResourceDivision division() {
    return division;
  }

  @Override
  public Explanation explanation() {
    return policy.explanation();
  }

  @Override
  public void divide(SharedResource shared, StageJob[] jobs, long[] rates, long turn) {
    double[] weights = weights(shared, jobs);
    List<SojournRates.Claim> claims = new ArrayList<>(jobs.length);
    for (int i = 0; i < jobs.length; i++) {
      claims.add(
          new SojournRates.Claim(
              jobs[i].id(),
              weights[i],
              (double) Math.min(jobs[i].usagePerSecond(key), JobUse.USAGE_PER_SECOND_MAX),
              jobs[i].isPressed(key),
              rates[i] == UNLIMITED ? Double.POSITIVE_INFINITY : (double) rates[i]));
    }
    double[] decided = policy.divide((double) shared.maximumPerSecond(), claims, cycleNanos);
    Map<JobId, Double> fair = policy.fairRates();
    List<JobUse> uses = new ArrayList<>(jobs.length);
    for (int i = 0; i < jobs.length; i++) {
      SojournRates.Claim claim = claims.get(i);
      uses.add(
          new JobUse(
              claim.job(),
              fair.getOrDefault(claim.job(), 0.0),
              claim.usedPerSecond(),
              shared.termsOf(claim.job()).priority()));
    }
    Resource resource =
        new Resource(key.key().scope(), shared.maximumPerSecond(), key.key().counted());
    division = division.next(decided, resource, uses);
    for (int i = 0; i < jobs.length; i++) {
      rates[i] = ResourceShares.least(rates[i], division.wholePerSecond(i));
    }
  }

  /**
   * What each job weighs: its priority, where nobody was assigned a rate; else the rate that it may
   * count on, which is what it was assigned or its part by priority.
   */
  private static double[] weights(SharedResource shared, StageJob[] jobs) {
    double[] weights = new double[jobs.length];
    double priorities = 0;
    boolean assigned = false;
    for (int i = 0; i < jobs.length; i++) {
      JobTerms terms = shared.termsOf(jobs[i].id());
      weights[i] = (double) terms.priority();
      priorities += weights[i];
      assigned |= terms.demandPerSecond().isPresent();
    }
    double maximum = (double) shared.maximumPerSecond();
    for (int i = 0; i < jobs.length && assigned; i++) {
      JobTerms terms = shared.termsOf(jobs[i].id());
      double rate =
          terms.demandPerSecond().isPresent()
              ? (double) terms.demandPerSecond().getAsLong()
              : maximum * weights[i] / priorities;
      weights[i] = Math.max(maximum / LEAST_PARTS, rate);
    }
    return weights;
  }
}
