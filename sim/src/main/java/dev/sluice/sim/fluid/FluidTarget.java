package dev.sluice.sim.fluid;

import dev.sluice.core.fair.WaterFilling;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.sim.control.TargetControl;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.storage.Bandwidth;
import java.util.ArrayList;
import java.util.List;

/** A target that divides the time of its device among jobs, period by period. */
final class FluidTarget {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double ROUNDING_TOLERANCE = 1 + 1e-6;

  final TargetSpec spec;
  final int index;
  private final SchedulerKind kind;
  private final TargetControl<?> control;
  private final Bandwidth bandwidth;
  private final Timeline served;
  private final Timeline queued;

  /** Jobs that send something or did in this period, in ascending order of their ids. */
  private final List<FluidAccount> active = new ArrayList<>();

  private final List<JobId> ended = new ArrayList<>();
  private long bytesPerSecond;
  private double[] weights = new double[8];
  private long[] caps = new long[8];
  private double[] parts = new double[8];
  private FluidAccount[] fallback = new FluidAccount[8];

  private double bytes;
  private double operations;
  private double busyNanos;
  private double busyInPeriodNanos;
  private double periodNanos;

  FluidTarget(
      TargetSpec spec,
      int index,
      SchedulerKind kind,
      TargetControl<?> control,
      long seed,
      long sampleNanos) {
    this.spec = spec;
    this.index = index;
    this.kind = kind;
    this.control = control;
    this.bandwidth = new Bandwidth(spec, seed);
    this.bytesPerSecond = spec.bytesPerSecond();
    this.served = new Timeline(sampleNanos, Timeline.Merge.SUM);
    this.queued = new Timeline(sampleNanos, Timeline.Merge.LAST);
  }

  TargetControl<?> control() {
    return control;
  }

  /** What a request of so many bytes costs the device in this period; never nothing at all. */
  double requestNanos(long requestBytes) {
    return Math.max(1, spec.operationNanos() + requestBytes * NANOS_PER_SECOND / bytesPerSecond);
  }

  /** A job begins to send here. */
  void activate(FluidAccount account) {
    int at = active.size();
    while (at > 0 && active.get(at - 1).job.rank() >= account.job.rank()) {
      at--;
      if (active.get(at).job.rank() == account.job.rank()) {
        return;
      }
    }
    active.add(at, account);
  }

  /** A job that was here is over. */
  void jobEnded(JobId job) {
    ended.add(job);
  }

  /** Divides a period among the jobs as the scheduler would. */
  void serve(long beginNanos, long endNanos) {
    bytesPerSecond = bandwidth.bytesPerSecond(beginNanos);
    int count = active.size();
    if (weights.length < count) {
      weights = new double[2 * count];
      caps = new long[2 * count];
      parts = new double[2 * count];
      fallback = new FluidAccount[2 * count];
    }
    for (int i = 0; i < count; i++) {
      active.get(i).want(beginNanos, endNanos);
    }
    double deviceNanos = endNanos - beginNanos;
    periodNanos = deviceNanos;
    busyInPeriodNanos = 0;
    switch (kind) {
      case FIFO -> byOutstanding(deviceNanos);
      case FAIR -> byWeight(deviceNanos);
      case TBF -> byTokens(deviceNanos);
    }
  }

  /** First come, first served: in proportion to what each keeps outstanding. */
  private void byOutstanding(double deviceNanos) {
    for (int i = 0; i < active.size(); i++) {
      FluidAccount account = active.get(i);
      weights[i] = Math.max(1, account.keptNanos);
      caps[i] = (long) Math.ceil(account.wantedNanos);
    }
    divide(deviceNanos);
  }

  private void byWeight(double deviceNanos) {
    Shares shares = control.shares();
    int listed = 0;
    for (int i = 0; i < active.size(); i++) {
      FluidAccount account = active.get(i);
      listed = skipTo(account.job.id(), shares, listed);
      weights[i] = isAt(account.job.id(), shares, listed) ? shares.weight(listed) : 1;
      caps[i] = (long) Math.ceil(account.wantedNanos);
    }
    divide(deviceNanos);
  }

  private void divide(double deviceNanos) {
    int count = active.size();
    WaterFilling.divide(count, weights, caps, deviceNanos, parts);
    double wanted = 0;
    for (int i = 0; i < count; i++) {
      wanted += caps[i];
    }
    for (int i = 0; i < count; i++) {
      FluidAccount account = active.get(i);
      account.doneAtPart = Math.min(1, wanted / deviceNanos);
      account.grant(parts[i]);
    }
  }

  /**
   * A token bucket filter: who is listed gets what it wants up to its tokens; who is not gets what
   * is left of the device's time. What listed jobs do not use of their tokens nobody does.
   */
  private void byTokens(double deviceNanos) {
    Shares shares = control.shares();
    int count = active.size();
    int listed = 0;
    double capsSum = 0;
    for (int i = 0; i < count; i++) {
      FluidAccount account = active.get(i);
      listed = skipTo(account.job.id(), shares, listed);
      boolean ruled = isAt(account.job.id(), shares, listed);
      double limit = ruled ? limitNanos(account, shares, listed, deviceNanos) : 0;
      caps[i] = (long) Math.ceil(Math.min(limit, account.wantedNanos));
      weights[i] = ruled ? Math.max(1, Math.min(limit, deviceNanos)) : 0;
      account.doneAtPart = limit > 0 ? Math.min(1, account.wantedNanos / limit) : 1;
      capsSum += caps[i];
    }
    int unlisted = 0;
    double unlistedNanos = 0;
    for (int i = 0; i < count; i++) {
      FluidAccount account = active.get(i);
      if (weights[i] > 0) {
        // More is allotted than the device can do: everybody gets less in proportion.
        account.grant(capsSum > deviceNanos ? caps[i] * deviceNanos / capsSum : caps[i]);
      } else {
        fallback[unlisted++] = account;
        unlistedNanos += account.wantedNanos;
      }
    }
    for (int i = 0; i < unlisted; i++) {
      weights[i] = Math.max(1, fallback[i].keptNanos);
      caps[i] = (long) Math.ceil(fallback[i].wantedNanos);
    }
    WaterFilling.divide(unlisted, weights, caps, Math.max(0, deviceNanos - capsSum), parts);
    for (int i = 0; i < unlisted; i++) {
      fallback[i].doneAtPart = Math.min(1, (capsSum + unlistedNanos) / deviceNanos);
      fallback[i].grant(parts[i]);
    }
  }

  /** The device time that a job's tokens stand for, at the price of what it sends. */
  private static double limitNanos(
      FluidAccount account, Shares shares, int index, double deviceNanos) {
    long tokens = shares.tokens(index);
    if (tokens == Shares.UNLIMITED || account.wantedTokens == 0) {
      return account.wantedNanos;
    }
    double perPeriod = tokens * (deviceNanos / shares.periodNanos());
    return perPeriod * account.wantedNanos / account.wantedTokens;
  }

  private static int skipTo(JobId job, Shares shares, int from) {
    int index = from;
    while (index < shares.size() && shares.job(index).compareTo(job) < 0) {
      index++;
    }
    return index;
  }

  private static boolean isAt(JobId job, Shares shares, int index) {
    return index < shares.size() && shares.job(index).equals(job);
  }

  /** Books what a stream was really served: with the others of its process it may be less. */
  void served(FluidStream stream, double requests, long beginNanos) {
    double moved = requests * stream.process.requestBytes();
    bytes += moved;
    operations += requests;
    busyNanos += stream.nanosFor(requests);
    busyInPeriodNanos += stream.nanosFor(requests);
    served.add(beginNanos, moved);
  }

  /**
   * Decides from what was seen in the period that ends now.
   *
   * @param listed jobs that are to be told of besides those that send something, in ascending order
   */
  Explanation decide(List<FluidJob> listed, long periodNanos, long nowNanos) {
    List<JobDemand> demands = new ArrayList<>(listed.size() + active.size());
    int next = 0;
    double waiting = 0;
    for (FluidAccount account : active) {
      while (next < listed.size() && listed.get(next).rank() <= account.job.rank()) {
        FluidJob job = listed.get(next++);
        if (job.rank() != account.job.rank()) {
          demands.add(job.idle());
        }
      }
      demands.add(account.takeDemand());
      waiting += account.outstandingRequests();
    }
    for (FluidJob job : listed.subList(next, listed.size())) {
      demands.add(job.idle());
    }
    queued.set(nowNanos, waiting);
    Explanation explanation =
        control.decide(new Observation(nowNanos, periodNanos, demands, ended));
    ended.clear();
    return explanation;
  }

  /** Forgets jobs that send nothing; answers whether some are left. */
  boolean stays() {
    active.removeIf(FluidAccount::isIdle);
    return !active.isEmpty();
  }

  boolean isActive() {
    return !active.isEmpty();
  }

  /** Throws where more was served in a period than the device can do. */
  void checkInvariants() {
    if (busyInPeriodNanos > periodNanos * ROUNDING_TOLERANCE) {
      throw new IllegalStateException(
          spec.name() + " was busy for " + busyInPeriodNanos + " of " + periodNanos + " ns");
    }
  }

  TargetResult result() {
    return new TargetResult(
        spec.name(),
        Math.round(bytes),
        Math.round(operations),
        Math.round(busyNanos),
        spec.bytesPerSecond(),
        served,
        queued);
  }
}
