package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.load.client.RpcException;
import dev.sluice.sim.batch.StartOrder;
import dev.sluice.sim.scenario.Scenario;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs when they are due, until all are done, time is up, somebody stops it or a process
 * cannot go on.
 */
final class JobTimetable implements PlayedJob.End {
  private static final long LISTEN_NANOS = 100_000_000;

  private final List<PlayedJob> jobs;
  private final Map<JobId, PlayedJob> byId = new HashMap<>();
  private final Deque<PlayedJob> toSubmit = new ArrayDeque<>();
  private final StartOrder order;
  private final PlayTime time;
  private int started;
  private int over;

  /** Filled by the jobs' own threads, each once. */
  private final BlockingQueue<JobId> ended = new LinkedBlockingQueue<>();

  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

  /** Whether nobody waits for the last answers, so that those who do not get them are right. */
  private volatile boolean abandoned;

  /** The jobs of a scenario, in a play whose time begins now. */
  JobTimetable(Scenario scenario, List<PlayedJob> jobs, PlayTime time) {
    this.jobs = List.copyOf(jobs);
    this.order = StartOrder.of(scenario);
    this.time = time;
    jobs.forEach(job -> byId.put(job.id(), job));
    jobs.stream()
        .sorted(Comparator.comparingLong(job -> job.spec().submitNanos()))
        .forEach(toSubmit::add);
  }

  /**
   * Runs all; answers when that was over, with the books closed at that instant.
   *
   * @param abandon ends whatever is under way then; null to wait until it is answered
   */
  long run(PlayListener listener, @Nullable Runnable abandon) throws IOException {
    while (over < jobs.size() && !time.isOver()) {
      startDue();
      listener.playing(progress(), time.nowNanos(), time.endNanos());
      noteEnded();
    }
    long endNanos = Math.min(time.nowNanos(), time.endNanos());
    jobs.forEach(job -> job.account().close(endNanos));
    time.stop();
    listener.playing(progress(), endNanos, time.endNanos());
    if (abandon != null) {
      abandoned = true;
      abandon.run();
    }
    awaitStarted();
    return endNanos;
  }

  private List<JobProgress> progress() {
    return jobs.stream().map(PlayedJob::progress).toList();
  }

  private void startDue() {
    long now = time.nowNanos();
    while (!toSubmit.isEmpty() && toSubmit.element().spec().submitNanos() <= now) {
      order.submitted(toSubmit.remove().spec(), now);
    }
    for (JobId id : order.startable(now)) {
      started++;
      Objects.requireNonNull(byId.get(id)).start(time, this);
    }
  }

  /** Waits for the end of a job, the next submission, or until somebody should be told. */
  private void noteEnded() {
    long now = time.nowNanos();
    PlayedJob next = toSubmit.peek();
    long until = Math.min(time.endNanos(), now + LISTEN_NANOS);
    if (next != null) {
      until = Math.min(until, next.spec().submitNanos());
    }
    try {
      JobId id = ended.poll(until - now, TimeUnit.NANOSECONDS);
      if (id != null) {
        over++;
        order.ended(id, time.nowNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      time.stop();
    }
  }

  /** Waits for the last answers of all that was started, and for whatever went wrong. */
  private void awaitStarted() throws IOException {
    boolean interrupted = false;
    while (over < started) {
      try {
        ended.take();
        over++;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    IOException wrong = failure.get();
    if (wrong != null) {
      throw wrong;
    }
  }

  @Override
  public void ended(PlayedJob job) {
    ended.add(job.id());
  }

  @Override
  public void failed(String message, IOException cause) {
    if (!abandoned) {
      failure.compareAndSet(null, new RpcException(message, cause));
      time.stop();
    }
  }
}
