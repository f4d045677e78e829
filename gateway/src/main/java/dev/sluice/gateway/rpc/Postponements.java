package dev.sluice.gateway.rpc;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.memory.JobMemory;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Calls that are not taken on, because their job has too much under way: each is told to come
 * later, but not at once.
 *
 * <p>Linux sends a call again five seconds after it was told so, or in version 4 a tenth of a
 * second, with all its data. So a job's calls are told one by one, as there is room for what will
 * come back: the connection is not filled with data that is thrown away, and a job that is held to
 * a rate finds its next calls here before those that wait are served. None is left without an
 * answer for so long that its client would think the server dead.
 *
 * <p>Safe for use by many threads; a call of a job that has nothing postponed takes no lock.
 */
final class Postponements {
  /** When a client that was told to come later is back, at the latest. */
  private static final long BACK_AFTER_NANOS = 6_000_000_000L;

  /** Clients ask again, or say that the server is dead, after a minute. */
  private static final long ANSWERED_WITHIN_NANOS = 20_000_000_000L;

  /** Calls of one job that wait for being told; more are told at once. */
  private static final int CALLS_MAX = 8_192;

  private final Map<JobId, OfJob> jobs = new ConcurrentHashMap<>();

  /** A call that is to be told to come later. */
  interface Call {
    /** What it would have held. */
    long bytes();

    /** Whether it can still be told. */
    boolean isThere();

    /** Tells it. */
    void tell();

    /** It will not be told, because it is no longer there. */
    void drop();
  }

  /** What is postponed of one job; guarded by itself. */
  private static final class OfJob {
    final JobMemory memory;
    final ArrayDeque<Untold> calls = new ArrayDeque<>();

    /** For those that were told and are not back yet: how much, and until when. */
    final ArrayDeque<Promise> promises = new ArrayDeque<>();

    JobMemory.KnownSpeed known;
    long promisedBytes;
    long lastToldNanos;

    /** Whether it is no longer in the table: then there is, or will be, another. */
    boolean forgotten;

    OfJob(JobMemory memory, JobMemory.KnownSpeed known, long nowNanos) {
      this.memory = memory;
      this.known = known;
      this.lastToldNanos = nowNanos;
    }

    void promise(long bytes, long nowNanos) {
      promises.addLast(new Promise(bytes, nowNanos + BACK_AFTER_NANOS));
      promisedBytes += bytes;
    }

    void keepPromise() {
      Promise oldest = promises.pollFirst();
      if (oldest != null) {
        promisedBytes -= oldest.bytes;
      }
    }

    void forgetOldPromises(long nowNanos) {
      while (!promises.isEmpty() && promises.getFirst().untilNanos - nowNanos < 0) {
        keepPromise();
      }
    }

    /** Whether there is one that is to be told now. */
    boolean isNextDue(long nowNanos) {
      if (calls.isEmpty()) {
        return false;
      }
      long leftForAllNanos = calls.getLast().sinceNanos + ANSWERED_WITHIN_NANOS - lastToldNanos;
      return nowNanos - calls.getFirst().sinceNanos >= ANSWERED_WITHIN_NANOS
          || nowNanos - lastToldNanos >= leftForAllNanos / calls.size()
          || memory.roomBytes(known, nowNanos) - promisedBytes >= calls.getFirst().call.bytes();
    }
  }

  private record Untold(Call call, long sinceNanos) {}

  private record Promise(long bytes, long untilNanos) {}

  /** A call is not taken on. */
  void add(Call call, JobMemory memory, JobMemory.KnownSpeed known, long nowNanos) {
    boolean taken = false;
    while (!taken) {
      OfJob job = jobs.computeIfAbsent(memory.job(), _ -> new OfJob(memory, known, nowNanos));
      synchronized (job) {
        if (job.forgotten) {
          continue;
        }
        taken = true;
        job.known = known;
        if (job.calls.isEmpty()) {
          job.lastToldNanos = nowNanos;
        }
        if (job.calls.size() < CALLS_MAX) {
          job.calls.addLast(new Untold(call, nowNanos));
          return;
        }
      }
    }
    call.tell();
  }

  /** A call of this job is taken on; it may be one that was told to come later. */
  void cameBack(JobId job) {
    OfJob known = jobs.isEmpty() ? null : jobs.get(job);
    if (known != null) {
      synchronized (known) {
        known.keepPromise();
      }
    }
  }

  boolean isEmpty() {
    return jobs.isEmpty();
  }

  /** Tells those whose time it is; called every few milliseconds. */
  void tellDue(long nowNanos) {
    ArrayDeque<Call> due = new ArrayDeque<>();
    jobs.values().removeIf(job -> hasEnded(job, due, nowNanos));
    due.forEach(Call::tell);
  }

  /** Takes the calls of a job that are due; answers whether nothing is left to be known of it. */
  private static boolean hasEnded(OfJob job, ArrayDeque<Call> due, long nowNanos) {
    synchronized (job) {
      job.forgetOldPromises(nowNanos);
      takeDue(job, due, nowNanos);
      job.forgotten = job.calls.isEmpty() && job.promises.isEmpty();
      return job.forgotten;
    }
  }

  private static boolean isDropped(Call call) {
    boolean isGone = !call.isThere();
    if (isGone) {
      call.drop();
    }
    return isGone;
  }

  private static void takeDue(OfJob job, ArrayDeque<Call> due, long nowNanos) {
    job.calls.removeIf(untold -> isDropped(untold.call));
    while (job.isNextDue(nowNanos)) {
      Call next = job.calls.removeFirst().call;
      job.promise(next.bytes(), nowNanos);
      job.lastToldNanos = nowNanos;
      due.addLast(next);
    }
  }
}
