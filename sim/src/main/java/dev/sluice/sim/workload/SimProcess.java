package dev.sluice.sim.workload;

import dev.sluice.core.model.Operation;
import dev.sluice.sim.engine.Event;
import dev.sluice.sim.engine.EventQueue;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.storage.JobOnTarget;
import dev.sluice.sim.storage.SimRequest;
import dev.sluice.sim.storage.SimStorage;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One process of a job. As an event it is its own beginning, and later whatever it waits for. */
public final class SimProcess extends Event implements SimRequest.Client {
  /** Bound on what one file counts for in placement, so that sums over all files stay exact. */
  private static final long FILE_BYTES_MAX = 1L << 45;

  private final JobRun job;
  private final ProcessGroup group;
  private final Barrier barrier;
  private final EventQueue events;
  private final SimStorage storage;
  private final SplittableRandom random;
  private final RequestPool pool = new RequestPool(this);

  /** What it does; null until it begins, because only then its files come into being. */
  private @Nullable Activity activity;

  private int outstanding;
  private long aloneNanos;

  /**
   * @param barrier where the processes of its job wait for each other
   * @param random its own source of random numbers
   */
  public SimProcess(
      JobRun job,
      ProcessGroup group,
      Barrier barrier,
      EventQueue events,
      SimStorage storage,
      SplittableRandom random) {
    this.job = job;
    this.group = group;
    this.barrier = barrier;
    this.events = events;
    this.storage = storage;
    this.random = random;
  }

  /** Starts it with its job. */
  void start(long nowNanos) {
    events.schedule(this, nowNanos + group.beginsAfterNanos(random));
  }

  @Override
  protected void happen(long nowNanos) {
    if (activity == null) {
      activity = Activity.of(this, group.workload());
      activity.begin(nowNanos);
    } else {
      activity.wake(nowNanos);
    }
  }

  @Override
  public void completed(SimRequest request, long nowNanos) {
    outstanding--;
    aloneNanos += request.aloneNanos();
    job.completed(request, nowNanos);
    pool.release(request);
    if (activity == null) {
      throw new IllegalStateException("job " + job.id() + ": an answer that nobody asked for");
    }
    activity.proceed(nowNanos);
  }

  /** Makes a file as its group lays them out. */
  FileCursor createFile(long bytes) {
    List<JobOnTarget> stripes =
        storage.createFile(job.id(), group.layout(), Math.min(bytes, FILE_BYTES_MAX));
    stripes.forEach(job::uses);
    return new FileCursor(stripes, group.layout().stripeBytes());
  }

  /** Its job's account on the target with this name. */
  JobOnTarget account(String target) {
    JobOnTarget account = storage.account(job.id(), target);
    job.uses(account);
    return account;
  }

  void send(JobOnTarget account, Operation operation, long bytes, long nowNanos) {
    send(account, operation, 1, bytes, nowNanos);
  }

  /** Sends a request that stands for so many operations. */
  void send(JobOnTarget account, Operation operation, long operations, long bytes, long nowNanos) {
    SimRequest request = pool.take(account, operation, operations, bytes);
    outstanding++;
    job.asked(request, nowNanos);
    request.send(nowNanos);
  }

  /** How many of its requests are not complete. */
  int outstanding() {
    return outstanding;
  }

  int window() {
    return group.window();
  }

  /** A number from 0 to below 1. */
  double draw() {
    return random.nextDouble();
  }

  int draw(int bound) {
    return random.nextInt(bound);
  }

  void wakeAt(long atNanos) {
    events.schedule(this, atNanos);
  }

  void computeFor(long nanos, long nowNanos) {
    job.computes(nanos, nowNanos);
    wakeAt(nowNanos + nanos);
  }

  Barrier barrier() {
    return barrier;
  }

  /** A burst is over that was due then. */
  void burstDone(long dueNanos, long nowNanos) {
    job.burstDone(dueNanos, nowNanos);
  }

  /** When the burst was due that it is in; negative where it is in none. */
  long burstSinceNanos() {
    return activity instanceof BurstActivity bursts ? bursts.sinceNanos() : -1;
  }

  void done(long nowNanos) {
    job.processDone(nowNanos);
  }

  /**
   * How long its requests would have taken alone, a window at a time. Nothing where they come at
   * their own times: then only what the targets need counts.
   */
  long aloneNanos() {
    return activity != null && activity.isClosedLoop() ? aloneNanos / group.window() : 0;
  }

  @Override
  public String toString() {
    return "a process of job " + job.id();
  }
}
