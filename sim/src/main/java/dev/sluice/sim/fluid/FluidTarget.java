package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.storage.Bandwidth;
import java.util.ArrayList;
import java.util.List;

/** A target that divides the time of its device among jobs, period by period. */
final class FluidTarget {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NO_LIMIT_NANOS = -1;
  private static final double ROUNDING_TOLERANCE = 1 + 1e-6;

  final TargetSpec spec;
  final int index;
  private final SchedulerKind kind;
  final ShareGrouping grouping;
  final FluidControl control;
  private final Bandwidth bandwidth;
  private final Timeline served;
  private final Timeline queued;

  /** Jobs that send something or did in this period, in ascending order of their ids. */
  private final List<FluidAccount> active = new ArrayList<>();

  private long bytesPerSecond;
  private final DividedTime division = new DividedTime(8);
  private final List<FluidAccount> unlisted = new ArrayList<>();

  private double bytes;
  private double operations;
  private double busyNanos;
  private double busyInPeriodNanos;
  private double bytesInPeriod;

  FluidTarget(
      TargetSpec spec,
      int index,
      SchedulerKind kind,
      ShareGrouping grouping,
      FluidControl control,
      long seed,
      long sampleNanos) {
    this.spec = spec;
    this.index = index;
    this.kind = kind;
    this.grouping = grouping;
    this.control = control;
    this.bandwidth = new Bandwidth(spec, seed);
    this.bytesPerSecond = spec.bytesPerSecond();
    this.served = new Timeline(sampleNanos, Timeline.Merge.SUM);
    this.queued = new Timeline(sampleNanos, Timeline.Merge.LAST);
  }

  /** What a request of so many bytes costs the device in this period; never nothing at all. */
  double requestNanos(long requestBytes) {
    return Math.max(1, spec.operationNanos() + requestBytes * NANOS_PER_SECOND / bytesPerSecond);
  }

  /** A job begins to send here. */
  void activate(FluidAccount account) {
    int at = active.size();
    while (at > 0 && active.get(at - 1).rank >= account.rank) {
      at--;
      if (active.get(at).rank == account.rank) {
        return;
      }
    }
    active.add(at, account);
  }

  /** Divides a period among the jobs as the scheduler would. */
  void serve(long beginNanos, long endNanos) {
    bytesPerSecond = bandwidth.bytesPerSecond(beginNanos);
    for (FluidAccount account : active) {
      account.want(beginNanos, endNanos);
    }
    double deviceNanos = endNanos - beginNanos;
    switch (kind) {
      case FIFO -> byOutstanding(deviceNanos);
      case FAIR -> byWeight(deviceNanos);
      case TBF -> byTokens(deviceNanos);
      case IOSETS, MLWDF -> throw new IllegalStateException(kind + " is refused at the beginning");
    }
  }

  /** First come, first served: in proportion to what each keeps outstanding. */
  private void byOutstanding(double deviceNanos) {
    division.clear();
    for (FluidAccount account : active) {
      division.add(account.keptNanos, account.wantedNanos);
    }
    grant(active, deviceNanos, 0, deviceNanos);
  }

  private void byWeight(double deviceNanos) {
    Shares shares = control.cycle.inForce(spec.name());
    FluidBranch root = new FluidBranch(1);
    int listed = 0;
    division.clear();
    for (FluidAccount account : active) {
      JobId job = account.job;
      listed = skipTo(job, shares, listed);
      double weight = isAt(job, shares, listed) ? (double) shares.weight(listed) : 1;
      if (grouping.isFlat()) {
        division.add(weight, account.wantedNanos);
      } else {
        root.add(account, weight, grouping);
      }
    }
    if (grouping.isFlat()) {
      grant(active, deviceNanos, 0, deviceNanos);
    } else {
      root.grant(deviceNanos, 1);
    }
  }

  /** Divides what is left of the device's time after some of it was used. */
  private void grant(
      List<FluidAccount> accounts, double leftNanos, double usedNanos, double deviceNanos) {
    division.divide(leftNanos);
    for (int i = 0; i < accounts.size(); i++) {
      double doneAtNanos = usedNanos + division.doneAtPart(i) * leftNanos;
      accounts.get(i).grant(division.part(i), Math.min(1, doneAtNanos / deviceNanos));
    }
  }

  /**
   * A token bucket filter: who is listed gets what it wants up to its tokens; who is not gets what
   * is left of the device's time. What listed jobs do not use of their tokens nobody does.
   */
  private void byTokens(double deviceNanos) {
    Shares shares = control.cycle.inForce(spec.name());
    int listed = 0;
    double allottedNanos = 0;
    unlisted.clear();
    for (FluidAccount account : active) {
      JobId job = account.job;
      listed = skipTo(job, shares, listed);
      if (isAt(job, shares, listed)) {
        account.limitNanos = limitNanos(account, shares, listed, deviceNanos);
        allottedNanos += Math.min(account.limitNanos, account.wantedNanos);
      } else {
        account.limitNanos = NO_LIMIT_NANOS;
        unlisted.add(account);
      }
    }
    // Where more is allotted than the device can do, everybody gets less in proportion.
    double part = allottedNanos > deviceNanos ? deviceNanos / allottedNanos : 1;
    for (FluidAccount account : active) {
      double limit = account.limitNanos;
      if (limit != NO_LIMIT_NANOS) {
        double doneAtPart = limit > 0 ? account.wantedNanos / (limit * part) : 1;
        account.grant(Math.min(limit, account.wantedNanos) * part, Math.min(1, doneAtPart));
      }
    }
    if (!unlisted.isEmpty()) {
      division.clear();
      for (FluidAccount account : unlisted) {
        division.add(account.keptNanos, account.wantedNanos);
      }
      double usedNanos = Math.min(allottedNanos, deviceNanos);
      grant(unlisted, deviceNanos - usedNanos, usedNanos, deviceNanos);
    }
  }

  /** The device time that a job's tokens stand for, at the price of what it sends. */
  private static double limitNanos(
      FluidAccount account, Shares shares, int index, double deviceNanos) {
    if (!shares.isLimited(index) || account.wantedTokens == 0) {
      return account.wantedNanos;
    }
    double perPeriod = shares.tokens(index) * (deviceNanos / shares.periodNanos());
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
  void served(FluidStream stream, double requests) {
    bytesInPeriod += requests * stream.process.requestBytes();
    operations += requests;
    busyInPeriodNanos += stream.nanosFor(requests);
  }

  /** Closes the books of a period; throws where more was served than the device can do. */
  void endPeriod(long beginNanos, long endNanos) {
    long nanos = endNanos - beginNanos;
    if (busyInPeriodNanos > nanos * ROUNDING_TOLERANCE) {
      throw new IllegalStateException(
          spec.name() + " was busy for " + busyInPeriodNanos + " of " + nanos + " ns");
    }
    served.add(beginNanos, bytesInPeriod);
    bytes += bytesInPeriod;
    busyNanos += busyInPeriodNanos;
    bytesInPeriod = 0;
    busyInPeriodNanos = 0;
  }

  /**
   * What was seen in the period that ends now; nothing of it is left for the next.
   *
   * @param listed jobs that are to be told of besides those that send something, in ascending order
   */
  List<JobDemand> takeDemands(List<FluidJob> listed, long nowNanos) {
    List<JobDemand> demands = new ArrayList<>(listed.size() + active.size());
    int next = 0;
    double waiting = 0;
    for (FluidAccount account : active) {
      while (next < listed.size() && listed.get(next).rank() <= account.rank) {
        FluidJob job = listed.get(next++);
        if (job.rank() != account.rank) {
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
    return demands;
  }

  /** Forgets jobs that send nothing; answers whether some are left. */
  boolean stays() {
    active.removeIf(FluidAccount::isIdle);
    return !active.isEmpty();
  }

  boolean isActive() {
    return !active.isEmpty();
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
