package dev.sluice.sim.fluid;

import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.storage.Bandwidth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A target that divides the time of its device among jobs, period by period. */
final class FluidTarget {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double ROUNDING_TOLERANCE = 1 + 1e-6;

  final TargetSpec spec;
  final int index;
  private final FluidScheduler scheduler;
  final ShareGrouping grouping;
  final FluidControl control;
  private final Bandwidth bandwidth;
  private final Timeline served;
  private final Timeline queued;

  /** Jobs that send something or did in this period, in ascending order of their ids. */
  private final List<FluidAccount> active = new ArrayList<>();

  /** Jobs that sent something here and have not left, in ascending order of their ids. */
  private final List<FluidJob> known = new ArrayList<>();

  private long bytesPerSecond;

  private double bytes;
  private double operations;
  private double busyNanos;
  private double busyInStepNanos;
  private double bytesInStep;

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
    this.scheduler = new FluidScheduler(kind, grouping);
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

  /** A job begins to send here; answers whether it never did before. */
  boolean activate(FluidAccount account, FluidJob job) {
    int at = active.size();
    while (at > 0 && active.get(at - 1).rank >= account.rank) {
      at--;
      if (active.get(at).rank == account.rank) {
        return false;
      }
    }
    active.add(at, account);
    int place = Collections.binarySearch(known, job, FluidJob.BY_RANK);
    if (place < 0) {
      known.add(-1 - place, job);
    }
    return place < 0;
  }

  /** The jobs that sent something here and have not left, in ascending order of their ids. */
  List<FluidJob> known() {
    return known;
  }

  /** A job has left. */
  void forget(FluidJob job) {
    int place = Collections.binarySearch(known, job, FluidJob.BY_RANK);
    if (place >= 0) {
      known.remove(place);
    }
  }

  /** Divides a period among the jobs as the scheduler would. */
  void serve(long beginNanos, long endNanos) {
    bytesPerSecond = bandwidth.bytesPerSecond(beginNanos);
    for (FluidAccount account : active) {
      account.want(beginNanos, endNanos);
    }
    double deviceNanos = endNanos - beginNanos;
    scheduler.divide(active, control.cycle.inForce(spec.name()), deviceNanos);
  }

  /** Books what a stream was really served: with the others of its process it may be less. */
  void served(FluidStream stream, double requests) {
    bytesInStep += requests * stream.process.requestBytes();
    operations += requests;
    busyInStepNanos += stream.nanosFor(requests);
  }

  /** Closes the books of a step; throws where more was served than the device can do. */
  void endStep(long beginNanos, long endNanos) {
    long nanos = endNanos - beginNanos;
    if (busyInStepNanos > nanos * ROUNDING_TOLERANCE) {
      throw new IllegalStateException(
          spec.name() + " was busy for " + busyInStepNanos + " of " + nanos + " ns");
    }
    served.add(beginNanos, bytesInStep);
    bytes += bytesInStep;
    busyNanos += busyInStepNanos;
    bytesInStep = 0;
    busyInStepNanos = 0;
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

  /** What was seen since the last look, in a period that goes on. */
  List<JobDemand> look() {
    List<JobDemand> demands = new ArrayList<>(active.size());
    active.forEach(account -> demands.add(account.look()));
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
