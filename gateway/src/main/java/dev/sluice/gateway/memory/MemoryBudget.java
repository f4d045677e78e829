package dev.sluice.gateway.memory;

import dev.sluice.core.model.JobId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on the bytes that all jobs together have under way, and who may have how much of them.
 *
 * <p>Of what is not in reserve a job may take as long as it holds less than is free: one that is
 * alone may have half of it, many that want more each get an equal part. The {@link #reserveBytes
 * reserve} is for jobs that hold nothing yet and for those whose requests do not wait; whoever
 * takes memory away from jobs that wait long keeps it free.
 *
 * <p>Safe for use by many threads.
 */
public final class MemoryBudget {
  /** One part in so many is in reserve. */
  private static final int RESERVE_PART = 4;

  /** Jobs that were not here for so long are forgotten. */
  static final long FORGOTTEN_AFTER_NANOS = 10_000_000_000L;

  private final long totalBytes;
  private final AtomicLong freeBytes;
  private final Map<JobId, JobMemory> jobs = new ConcurrentHashMap<>();

  public MemoryBudget(long totalBytes) {
    if (totalBytes < 1) {
      throw new IllegalArgumentException("a budget has at least 1 byte, not " + totalBytes);
    }
    this.totalBytes = totalBytes;
    this.freeBytes = new AtomicLong(totalBytes);
  }

  public long totalBytes() {
    return totalBytes;
  }

  public long freeBytes() {
    return freeBytes.get();
  }

  /** What should be free for those who come new. */
  public long reserveBytes() {
    return totalBytes / RESERVE_PART;
  }

  /** The account of a job. */
  public JobMemory of(JobId job) {
    JobMemory known = jobs.get(job);
    return known != null ? known : jobs.computeIfAbsent(job, id -> new JobMemory(id, this));
  }

  /** All jobs that have something under way, or had lately; in no order. */
  public Iterable<JobMemory> jobs() {
    return jobs.values();
  }

  /**
   * Forgets jobs that have had nothing under way for a while. A request that comes for one just now
   * is counted all the same; the job then has two accounts until that request ends.
   */
  public void forgetIdle(long nowNanos) {
    jobs.values().removeIf(job -> job.isIdleSince(nowNanos - FORGOTTEN_AFTER_NANOS));
  }

  /** Takes so many bytes if so many are left afterwards. */
  boolean take(long bytes, long leftMin) {
    while (true) {
      long free = freeBytes.get();
      if (free - bytes < leftMin) {
        return false;
      }
      if (freeBytes.compareAndSet(free, free - bytes)) {
        return true;
      }
    }
  }

  void giveBack(long bytes) {
    if (freeBytes.addAndGet(bytes) > totalBytes) {
      throw new IllegalStateException("more was given back than was taken");
    }
  }
}
