package dev.sluice.control.controller;

import dev.sluice.control.settings.JobTerms;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageJob;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.padll.JobUse;
import dev.sluice.core.policy.padll.PadllAlgorithm;
import dev.sluice.core.policy.padll.Resource;
import dev.sluice.core.policy.padll.ResourceControl;
import dev.sluice.core.policy.padll.ResourceDivision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Divides a resource by one of PADLL's algorithms. */
final class PadllShares implements ResourceShares {
  private final RateKey key;
  private final PadllAlgorithm algorithm;
  private @Nullable ResourceControl control;

  PadllShares(RateKey key, PadllAlgorithm algorithm) {
    this.key = key;
    this.algorithm = algorithm;
  }

  @Override
  public ResourceDivision division() {
    return control == null
        ? ResourceDivision.none(new Resource(key.key().scope(), 1, key.key().counted()))
        : control.division();
  }

  @Override
  public @Nullable Explanation explanation() {
    return null;
  }

  @Override
  public void divide(SharedResource shared, StageJob[] jobs, long[] rates, long turn) {
    Resource resource =
        new Resource(shared.key().scope(), shared.maximumPerSecond(), shared.key().counted());
    long priorities = 0;
    for (StageJob job : jobs) {
      priorities += shared.termsOf(job.id()).priority();
    }
    List<JobUse> uses = new ArrayList<>(jobs.length);
    boolean[] heldBack = new boolean[jobs.length];
    for (int i = 0; i < jobs.length; i++) {
      uses.add(use(key, shared, jobs[i], priorities));
      heldBack[i] = jobs[i].isPressed(key);
    }
    // PADLL's algorithms do not look at the time: a cycle is as good as a second.
    long nowNanos = turn * Rate.NANOS_PER_SECOND;
    if (control == null) {
      control = new ResourceControl(algorithm, resource, nowNanos);
    }
    ResourceDivision whole =
        control.divide(resource, HeldBack.wouldUse(algorithm, resource, uses, heldBack), nowNanos);
    Map<JobId, Long> kept = kept(whole, rates);
    if (kept.isEmpty()) {
      for (int i = 0; i < jobs.length; i++) {
        rates[i] = ResourceShares.least(rates[i], whole.wholePerSecond(i));
      }
      return;
    }
    shareRest(shared, algorithm, uses, heldBack, kept, rates);
  }

  private static JobUse use(RateKey key, SharedResource shared, StageJob job, long priorities) {
    JobTerms terms = shared.termsOf(job.id());
    long byPriority = (long) ((double) shared.maximumPerSecond() * terms.priority() / priorities);
    long demand = terms.demandPerSecond().orElse(byPriority);
    long used = Math.min(job.usagePerSecond(key), JobUse.USAGE_PER_SECOND_MAX);
    return new JobUse(job.id(), demand, used, terms.priority());
  }

  /** The jobs that limits keep from having their part, and what these leave them. */
  private static Map<JobId, Long> kept(ResourceDivision whole, long[] rates) {
    Map<JobId, Long> kept = new HashMap<>();
    for (int i = 0; i < rates.length; i++) {
      if (rates[i] != UNLIMITED && rates[i] < whole.wholePerSecond(i)) {
        kept.put(whole.job(i), rates[i]);
      }
    }
    return kept;
  }

  /** Divides what those leave who may not have their part, among all others. */
  private static void shareRest(
      SharedResource shared,
      PadllAlgorithm algorithm,
      List<JobUse> uses,
      boolean[] heldBack,
      Map<JobId, Long> kept,
      long[] rates) {
    long rest = shared.maximumPerSecond();
    for (long rate : kept.values()) {
      rest -= rate;
    }
    List<JobUse> others = new ArrayList<>();
    boolean[] othersHeldBack = new boolean[uses.size() - kept.size()];
    for (int i = 0; i < uses.size(); i++) {
      if (!kept.containsKey(uses.get(i).job())) {
        othersHeldBack[others.size()] = heldBack[i];
        others.add(uses.get(i));
      }
    }
    if (others.isEmpty()) {
      return;
    }
    Resource left = new Resource(shared.key().scope(), Math.max(1, rest), shared.key().counted());
    List<JobUse> wouldUse = HeldBack.wouldUse(algorithm, left, others, othersHeldBack);
    ResourceDivision division = ResourceDivision.none(left).next(algorithm, left, wouldUse);
    int other = 0;
    for (int i = 0; i < rates.length; i++) {
      if (!kept.containsKey(uses.get(i).job())) {
        rates[i] = ResourceShares.least(rates[i], division.wholePerSecond(other++));
      }
    }
  }
}
