package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.JobSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A job whose processes are flows. Its processes wait for each other here between two phases. */
final class FluidJob {
  static final Comparator<FluidJob> BY_RANK = Comparator.comparingInt(FluidJob::rank);

  private static final long NOT_YET = -1;

  private final FluidSimulation world;
  private final JobSpec spec;
  private final int rank;
  private final JobDemand idle;
  private final Timeline served;
  private final SplittableRandom random;
  private final Map<FluidTarget, FluidAccount> accounts = new LinkedHashMap<>();

  private List<FluidProcess> processes = List.of();
  private int processesLeft;
  private long startNanos = NOT_YET;
  private long endNanos = NOT_YET;
  private double bytes;
  private double operations;

  private int sending;
  private long sendsSinceNanos;
  private long restsSinceNanos;
  private long ioNanos;
  private long computeNanos;
  private long computesUntilNanos;

  private final List<FluidProcess> waiting = new ArrayList<>();
  private int inPhases;
  private double deviation;
  private long barrierNanos;

  /**
   * @param rank its place among all jobs in ascending order of their ids
   */
  FluidJob(
      FluidSimulation world, JobSpec spec, int rank, SplittableRandom random, long sampleNanos) {
    this.world = world;
    this.spec = spec;
    this.rank = rank;
    this.random = random;
    this.deviation = random.nextDouble();
    this.idle = new JobDemand(spec.id(), spec.nodes(), 0, 0).withApplication(spec.application());
    this.served = new Timeline(sampleNanos, Timeline.Merge.SUM);
  }

  JobId id() {
    return spec.id();
  }

  JobSpec spec() {
    return spec;
  }

  long nodes() {
    return spec.nodes();
  }

  JobId application() {
    return spec.application();
  }

  int rank() {
    return rank;
  }

  /** Its demand where it does nothing. */
  JobDemand idle() {
    return idle;
  }

  FluidAccount account(FluidTarget target) {
    return accounts.computeIfAbsent(target, t -> new FluidAccount(this, t));
  }

  Iterable<FluidTarget> targets() {
    return accounts.keySet();
  }

  /** It starts with these processes, of which so many compute in between. */
  void start(List<FluidProcess> itsProcesses, int itsProcessesInPhases, long nowNanos) {
    startNanos = nowNanos;
    processes = List.copyOf(itsProcesses);
    processesLeft = processes.size();
    inPhases = itsProcessesInPhases;
    processes.forEach(process -> process.start(nowNanos));
    if (processesLeft == 0) {
      finish(nowNanos);
    }
  }

  /** One of its processes begins to send. */
  void begins(long nowNanos) {
    if (sending++ == 0) {
      sendsSinceNanos = Math.max(nowNanos, restsSinceNanos);
    }
  }

  /** One of its processes has all its answers; which process is last may not be known in order. */
  void rests(long atNanos) {
    restsSinceNanos = Math.max(restsSinceNanos, atNanos);
    if (sending > 0 && --sending == 0) {
      ioNanos += Math.max(0, restsSinceNanos - sendsSinceNanos);
    }
  }

  void served(double requests, long requestBytes, long atNanos) {
    bytes += requests * requestBytes;
    operations += requests;
    served.add(atNanos, requests * requestBytes);
  }

  void computes(long nanos, long nowNanos) {
    long until = nowNanos + nanos;
    computeNanos += Math.max(0, until - Math.max(nowNanos, computesUntilNanos));
    computesUntilNanos = Math.max(computesUntilNanos, until);
  }

  /** What was drawn for this computation: 0 to below 1. */
  double deviation() {
    return deviation;
  }

  /** A process is done with its I/O and wants to compute on when the slowest is. */
  void arrive(FluidProcess process, long atNanos) {
    waiting.add(process);
    barrierNanos = Math.max(barrierNanos, atNanos);
    releaseIfComplete();
  }

  /** A process will not come any more. */
  void leave(long atNanos) {
    inPhases--;
    barrierNanos = Math.max(barrierNanos, atNanos);
    releaseIfComplete();
  }

  private void releaseIfComplete() {
    if (waiting.size() < inPhases || inPhases == 0) {
      return;
    }
    deviation = random.nextDouble();
    for (FluidProcess process : waiting) {
      process.compute(deviation, barrierNanos);
    }
    waiting.clear();
  }

  void processDone(long atNanos) {
    restsSinceNanos = Math.max(restsSinceNanos, atNanos);
    if (--processesLeft == 0) {
      finish(restsSinceNanos);
    }
  }

  private void finish(long atNanos) {
    endNanos = atNanos;
    world.ended(this, atNanos);
  }

  JobResult result(Map<String, Timeline> figures, long nowNanos) {
    double isolatedNanos = 0;
    for (FluidProcess process : processes) {
      isolatedNanos = Math.max(isolatedNanos, process.aloneNanos());
      process.bookServed();
    }
    for (FluidAccount account : accounts.values()) {
      isolatedNanos = Math.max(isolatedNanos, account.servedNanos());
    }
    return new JobResult(
        id(),
        spec.user(),
        spec.nodes(),
        spec.submitNanos(),
        startNanos,
        endNanos,
        Math.round(bytes),
        Math.round(operations),
        ioNanos + (sending > 0 ? Math.max(0, nowNanos - sendsSinceNanos) : 0),
        computeNanos - Math.max(0, computesUntilNanos - nowNanos),
        Math.round(isolatedNanos),
        LatencySummary.NONE,
        LatencySummary.NONE,
        served,
        figures);
  }
}
