package dev.sluice.stage.agent;

import dev.sluice.core.model.JobId;
import dev.sluice.stage.files.JobFiles;
import dev.sluice.stage.files.StageClock;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Looks after jobs: tells their processes several times a second that their limits hold. When it
 * dies, the limits lapse; when it comes back, they hold again.
 */
public final class StageAgent implements AutoCloseable {
  /** More than any node runs; a bound on what a careless controller can make us keep. */
  public static final int JOBS_MAX = 4_096;

  private static final System.Logger LOG = System.getLogger(StageAgent.class.getName());

  /**
   * Ten times within what a heart may stop for, and five within what a waiter may be silent for: a
   * tick more often finds the dead hardly sooner, and takes a part of every node.
   */
  private static final long TICK_NANOS = 200_000_000;

  private final StageDirectory directory;
  private final Map<JobId, StagedJob> jobs = new ConcurrentSkipListMap<>();
  private final Thread ticker;
  private volatile Supplier<List<LimitChange>> newcomers = List::of;
  private volatile boolean closed;

  /** An agent without jobs. */
  public StageAgent(StageDirectory directory) throws IOException {
    StageClock.check();
    this.directory = directory;
    directory.prepare();
    this.ticker = Thread.ofPlatform().name("stage-heartbeat").daemon().start(this::tickForEver);
  }

  /** Takes over all jobs that nobody looks after, as after a restart; how many. */
  public int adoptAll() throws IOException {
    int adopted = 0;
    for (JobId job : directory.jobs()) {
      if (jobs.containsKey(job)) {
        continue;
      }
      try {
        JobFiles files = directory.adopt(job);
        if (files != null) {
          StagedJob staged = new StagedJob(job, files);
          staged.takeOver(StageClock.nowNanos());
          jobs.put(job, staged);
          adopted++;
        }
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "job {0} is left alone: {1}", job, e.getMessage());
      }
    }
    return adopted;
  }

  /**
   * Looks after a new job from now on.
   *
   * @param user who runs it, and is the only one besides us to get at its files
   * @throws IllegalStateException when it is looked after already, or there are too many
   */
  public synchronized StagedJob add(
      JobId job, int user, List<Path> mounts, List<LimitChange> limits) throws IOException {
    if (jobs.size() >= JOBS_MAX) {
      throw new IllegalStateException("at most " + JOBS_MAX + " jobs at a time");
    }
    long nowNanos = StageClock.nowNanos();
    StagedJob staged = new StagedJob(job, directory.create(job, user, mounts, nowNanos));
    staged.change(newcomers.get(), nowNanos);
    staged.change(limits, nowNanos);
    jobs.put(job, staged);
    return staged;
  }

  /** Puts what this answers on every job that comes from now on, before its own limits. */
  public void limitNewcomers(Supplier<List<LimitChange>> limits) {
    newcomers = limits;
  }

  public Optional<StagedJob> job(JobId job) {
    return Optional.ofNullable(jobs.get(job));
  }

  /** All jobs, by their ids. */
  public List<StagedJob> jobs() {
    return new ArrayList<>(jobs.values());
  }

  /** Ends a job: its files go, and what still runs of it is free. Whether there was one. */
  public boolean remove(JobId job) throws IOException {
    StagedJob staged = jobs.remove(job);
    if (staged == null) {
      return false;
    }
    staged.end(StageClock.nowNanos());
    return true;
  }

  public StageDirectory directory() {
    return directory;
  }

  private void tickForEver() {
    while (!closed) {
      long nowNanos = StageClock.nowNanos();
      for (StagedJob job : jobs.values()) {
        try {
          job.tick(nowNanos);
        } catch (IOException | RuntimeException e) {
          // One job's broken files must not still the heart of the others.
          LOG.log(System.Logger.Level.WARNING, "job " + job.id() + ": " + e);
        }
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  /** Stops. The jobs' files stay, for the agent that comes next; their limits lapse soon. */
  @Override
  public void close() throws IOException {
    closed = true;
    LockSupport.unpark(ticker);
    try {
      ticker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    for (StagedJob job : jobs.values()) {
      job.close();
    }
    jobs.clear();
  }
}
