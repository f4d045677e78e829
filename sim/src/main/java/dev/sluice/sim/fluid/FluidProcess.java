package dev.sluice.sim.fluid;

import dev.sluice.sim.engine.Event;
import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Workload;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A process whose I/O is a flow over the targets of its file, as fast as the slowest of them. As an
 * event it is its own beginning, and later whatever it waits for.
 */
final class FluidProcess extends Event {
  private static final double NANOS_PER_SECOND = 1e9;

  /** An open loop has no window; finite, so that a product with no time at all is 0. */
  private static final double UNBOUNDED_REQUESTS = 1e15;

  /** Less than this part of a request is a rounding error. */
  private static final double NOTHING_REQUESTS = 1e-9;

  private final FluidSimulation world;
  private final FluidJob job;
  private final ProcessGroup group;
  private final SplittableRandom random;
  private FluidStream[] stripes = {};

  private final long requestBytes;

  /** How fast requests come in an open loop; 0 in a closed one. */
  private final double requestsPerSecond;

  private double windowPerStripe;
  private boolean begun;
  private long sinceNanos;
  private double leftPerStripe;
  private double outstandingBefore;
  private double aloneNanos;
  private double servedRequests;
  private long servedAtNanos;
  private long bookedUntilNanos;

  /** Bytes of bursts to come, iterations, or requests of an open loop that have not come yet. */
  private double toCome;

  private long dueNanos;

  FluidProcess(FluidSimulation world, FluidJob job, ProcessGroup group, SplittableRandom random) {
    this.world = world;
    this.job = job;
    this.group = group;
    this.random = random;
    this.requestBytes = requestBytes(job, group.workload());
    this.requestsPerSecond = requestsPerSecond(group.workload());
  }

  private static long requestBytes(FluidJob job, Workload workload) {
    return switch (workload) {
      case Workload.Sequential sequential -> sequential.requestBytes();
      case Workload.Bursts bursts -> bursts.requestBytes();
      case Workload.Phases phases -> phases.requestBytes();
      case Workload.OpenLoop openLoop -> openLoop.requestBytes();
      case Workload.MetadataMix _ -> 0;
      case Workload.Replay _, Workload.Recorded _ -> throw noReplay(job);
    };
  }

  private static double requestsPerSecond(Workload workload) {
    return switch (workload) {
      case Workload.OpenLoop openLoop -> openLoop.requestsPerSecond();
      case Workload.MetadataMix mix -> mix.operationsPerSecond();
      default -> 0;
    };
  }

  /** The bytes of each of its requests. */
  long requestBytes() {
    return requestBytes;
  }

  private static IllegalArgumentException noReplay(FluidJob job) {
    return new IllegalArgumentException(
        "job " + job.id() + " replays a trace, which only the mode \"requests\" can do");
  }

  /** Since when it has been sending. */
  long sinceNanos() {
    return sinceNanos;
  }

  /** Requests that it still has to send to each target, or that wait there in an open loop. */
  double leftPerStripe() {
    return leftPerStripe;
  }

  /** How many of its requests can be at each target at once. */
  double windowPerStripe() {
    return windowPerStripe;
  }

  /**
   * How many of its requests a first-come-first-served target finds of it. A full window to the
   * very end: the last requests wait no longer than those before them.
   */
  double keptPerStripe() {
    return isOpenLoop() ? leftPerStripe : windowPerStripe();
  }

  double outstandingPerStripe() {
    return Math.min(leftPerStripe, windowPerStripe());
  }

  /** Whether its requests come at their own times instead of as fast as its window allows. */
  boolean isOpenLoop() {
    return requestsPerSecond > 0;
  }

  @Override
  protected void happen(long nowNanos) {
    if (begun) {
      wake(nowNanos);
    } else {
      begun = true;
      begin(nowNanos);
    }
  }

  private void begin(long nowNanos) {
    dueNanos = nowNanos;
    switch (group.workload()) {
      case Workload.Sequential sequential -> {
        createFile(sequential.bytes());
        sendBytes((double) sequential.bytes(), sequential.requestBytes(), nowNanos);
      }
      case Workload.Bursts bursts -> {
        toCome = bursts.bytes() == Long.MAX_VALUE ? Double.POSITIVE_INFINITY : bursts.bytes();
        createFile(bursts.bytes() == Long.MAX_VALUE ? bursts.burstBytes() : bursts.bytes());
        burst(bursts, nowNanos);
      }
      case Workload.Phases phases -> {
        toCome = phases.iterations();
        createFile((long) ((double) phases.bytes() * phases.iterations()));
        if (toCome == 0) {
          finish(nowNanos);
        } else {
          compute(job.deviation(), nowNanos);
        }
      }
      case Workload.MetadataMix mix -> {
        createFile(0);
        if (mix.operationsPerSecond() > 0) {
          toCome = mix.operations();
          send(0, nowNanos);
        } else {
          send((double) mix.operations(), nowNanos);
        }
      }
      case Workload.OpenLoop openLoop -> {
        createFile((long) ((double) openLoop.requests() * openLoop.requestBytes()));
        toCome = openLoop.requests();
        send(0, nowNanos);
      }
      case Workload.Replay _, Workload.Recorded _ -> throw noReplay(job);
    }
  }

  private void createFile(long bytes) {
    FileLayout layout = group.layout();
    stripes =
        world.createFile(layout, bytes).stream()
            .map(target -> new FluidStream(this, job.account(target)))
            .toArray(FluidStream[]::new);
    windowPerStripe = isOpenLoop() ? UNBOUNDED_REQUESTS : (double) group.window() / stripes.length;
  }

  private void wake(long nowNanos) {
    switch (group.workload()) {
      case Workload.Bursts bursts -> burst(bursts, nowNanos);
      case Workload.Phases phases ->
          sendBytes((double) phases.bytes(), phases.requestBytes(), nowNanos);
      default -> throw new IllegalStateException("job " + job.id() + " waits for nothing");
    }
  }

  private void burst(Workload.Bursts bursts, long nowNanos) {
    double bytes = Math.min((double) bursts.burstBytes(), toCome);
    toCome -= bytes;
    sendBytes(bytes, bursts.requestBytes(), nowNanos);
  }

  private void sendBytes(double bytes, long requestBytes, long nowNanos) {
    send(bytes / requestBytes, nowNanos);
  }

  private void send(double requests, long nowNanos) {
    leftPerStripe = requests / stripes.length;
    outstandingBefore = 0;
    sinceNanos = nowNanos;
    if (isSent() && !isOpenLoop()) {
      sent(nowNanos);
      return;
    }
    job.begins(nowNanos);
    for (FluidStream stream : stripes) {
      stream.account.add(stream);
    }
    world.activate(this);
  }

  FluidJob job() {
    return job;
  }

  /** Tells each of its targets that it begins to send there. */
  void activate(Consumer<FluidAccount> targets) {
    for (FluidStream stream : stripes) {
      targets.accept(stream.account);
    }
  }

  /** Takes in what comes by itself until the end of a period. */
  void arrive(long beginNanos, long endNanos) {
    if (isOpenLoop()) {
      long nanos = endNanos - Math.max(beginNanos, sinceNanos);
      double come = Math.min(toCome, requestsPerSecond * nanos / NANOS_PER_SECOND);
      toCome -= come;
      leftPerStripe += come / stripes.length;
    }
  }

  /** Moves on by what the slowest of its targets granted; answers whether it still sends. */
  boolean advance(long beginNanos, long endNanos) {
    double requests = leftPerStripe;
    double doneAtPart = 0;
    for (FluidStream stream : stripes) {
      requests = Math.min(requests, stream.grantedRequests());
      doneAtPart = Math.max(doneAtPart, stream.doneAtPart());
    }
    leftPerStripe -= requests;
    if (leftPerStripe < NOTHING_REQUESTS) {
      leftPerStripe = 0;
    }
    double outstandingAfter = outstandingPerStripe();
    double slowestNanos = 0;
    for (FluidStream stream : stripes) {
      slowestNanos = Math.max(slowestNanos, stream.aloneNanosFor(requests));
      stream.account.served(stream, requests, outstandingBefore, outstandingAfter);
      stream.account.target.served(stream, requests);
    }
    if (beginNanos >= bookedUntilNanos) {
      bookServed();
      bookedUntilNanos = world.sampleEndNanos(beginNanos);
    }
    servedRequests += requests * stripes.length;
    servedAtNanos = beginNanos;
    outstandingBefore = outstandingAfter;
    aloneNanos += slowestNanos;
    if (!isSent()) {
      return true;
    }
    for (FluidStream stream : stripes) {
      stream.account.remove(stream);
    }
    long from = Math.max(beginNanos, sinceNanos);
    sent(from + Math.round((endNanos - from) * doneAtPart));
    return false;
  }

  /** How long its requests would have taken alone, a window at a time. */
  double aloneNanos() {
    return aloneNanos;
  }

  /** Books with the job what it was served in a sample; once a sample is often enough. */
  void bookServed() {
    job.served(servedRequests, requestBytes, servedAtNanos);
    servedRequests = 0;
  }

  private boolean isSent() {
    return leftPerStripe == 0 && (!isOpenLoop() || toCome == 0);
  }

  /** It had all of its answers at an instant that may lie a part of a period back. */
  private void sent(long atNanos) {
    job.rests(atNanos);
    switch (group.workload()) {
      case Workload.Bursts bursts when toCome > 0 -> {
        dueNanos += Seeds.around(bursts.intervalNanos(), bursts.jitter(), random.nextDouble());
        world.wakeAt(this, Math.max(dueNanos, atNanos));
      }
      case Workload.Phases _ when toCome > 1 -> {
        toCome--;
        job.arrive(this, atNanos);
      }
      default -> finish(atNanos);
    }
  }

  private void finish(long atNanos) {
    boolean inPhases = group.workload() instanceof Workload.Phases;
    job.processDone(atNanos);
    if (inPhases) {
      job.leave(atNanos);
    }
  }

  /** Computes for as long as the job's draw says: the same for all its processes. */
  void compute(double uniform, long nowNanos) {
    if (group.workload() instanceof Workload.Phases phases) {
      long nanos = Seeds.around(phases.computeNanos(), phases.jitter(), uniform);
      job.computes(nanos, nowNanos);
      world.wakeAt(this, nowNanos + nanos);
    }
  }

  void start(long nowNanos) {
    world.wakeAt(this, nowNanos + group.beginsAfterNanos(random));
  }
}
