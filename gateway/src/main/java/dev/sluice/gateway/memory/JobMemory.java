package dev.sluice.gateway.memory;

import dev.sluice.core.model.JobId;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one job has under way, over all connections, and how much that may be.
 *
 * <p>A job may have under way what it gets done in {@link #QUEUE_NANOS}, and a little more: a
 * client that is told to come later comes back after some seconds, and a job that is held to a rate
 * must find enough of its own waiting here meanwhile to get all of that rate. How fast it gets
 * things done is measured, over a second at least; until then it counts as fast, unless somebody
 * knows better.
 *
 * <p>Safe for use by many threads. Taking and giving back what is little takes no lock.
 */
public final class JobMemory {
  /** How long the last of what a job has under way may have to wait. */
  public static final long QUEUE_NANOS = 8_000_000_000L;

  /** What every job may have under way, however slow it is. */
  static final int REQUESTS_MIN = 64;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** What is measured over less says little. */
  private static final long WINDOW_NANOS = NANOS_PER_SECOND;

  /** A job that has nothing done for so long is one that waits. */
  private static final long WAITING_NANOS = 100_000_000L;

  private final JobId job;
  private final MemoryBudget budget;
  private final long heldBytesMin;

  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong endedBytes = new AtomicLong();
  private final AtomicLong endedRequests = new AtomicLong();
  private volatile long busySinceNanos;
  private volatile long lastEndedNanos;

  /** What the job had done at the beginning of the window; guarded by this. */
  private long windowNanos;

  private long windowBytes;
  private long windowRequests;
  private Speed measured = Speed.UNKNOWN;

  /** How much a job gets done in a second. */
  public record Speed(long bytesPerSecond, long requestsPerSecond) {
    /** Of a job of which nothing is known: as fast as can be. */
    public static final Speed UNKNOWN = new Speed(Long.MAX_VALUE, Long.MAX_VALUE);

    /** The lower of two in each respect. */
    public Speed min(Speed other) {
      return new Speed(
          Math.min(bytesPerSecond, other.bytesPerSecond),
          Math.min(requestsPerSecond, other.requestsPerSecond));
    }
  }

  /** Tells of a job what was decided about its speed. */
  @FunctionalInterface
  public interface KnownSpeed {
    Speed of(JobId job);
  }

  /** What comes of asking for memory. */
  public enum Verdict {
    /** It has been taken. */
    TAKEN,
    /** The job has too much under way for its speed. */
    TOO_MUCH_UNDER_WAY,
    /** All jobs together have too much under way. */
    NO_MEMORY
  }

  JobMemory(JobId job, MemoryBudget budget) {
    this.job = job;
    this.budget = budget;
    this.heldBytesMin = budget.totalBytes() / 128;
  }

  public JobId job() {
    return job;
  }

  /**
   * Takes so many bytes for one request, if the job may have them now.
   *
   * <p>A job that holds nothing gets them whenever there are so many; so whoever wants is served,
   * however slow.
   */
  public Verdict take(long bytes, KnownSpeed known, long nowNanos) {
    long held = heldBytes.get();
    long under = requests.get();
    if (under > 0
        && (held + bytes > heldBytesMin || under >= REQUESTS_MIN)
        && !isWithinItsSpeed(held + bytes, under + 1, known, nowNanos)) {
      return Verdict.TOO_MUCH_UNDER_WAY;
    }
    return takeAtAnySpeed(bytes, nowNanos);
  }

  /** The same, however long it may have to wait. */
  public Verdict takeAtAnySpeed(long bytes, long nowNanos) {
    if (requests.get() == 0) {
      busySinceNanos = nowNanos;
    }
    if (!budget.take(bytes, leftMin(bytes, heldBytes.get(), nowNanos))) {
      return Verdict.NO_MEMORY;
    }
    heldBytes.addAndGet(bytes);
    requests.incrementAndGet();
    return Verdict.TAKEN;
  }

  /** What must be left of the budget when this job takes more. */
  private long leftMin(long bytes, long held, long nowNanos) {
    if (held == 0) {
      return 0;
    }
    if (held + bytes <= heldBytesMin) {
      if (nowNanos - lastEndedNanos <= WAITING_NANOS) {
        return 0;
      }
      if (nowNanos - busySinceNanos <= WAITING_NANOS) {
        // It has only begun, as a job may that will wait for long.
        return budget.reserveBytes() / 2;
      }
    }
    return budget.reserveBytes() + Math.max(0, held - bytes);
  }

  private boolean isWithinItsSpeed(long held, long under, KnownSpeed known, long nowNanos) {
    Speed speed = measured(nowNanos).min(known.of(job));
    return held <= bytesMax(speed) && under <= requestsMax(speed);
  }

  private long bytesMax(Speed speed) {
    return bound(heldBytesMin, speed.bytesPerSecond);
  }

  private static long requestsMax(Speed speed) {
    return bound(REQUESTS_MIN, speed.requestsPerSecond);
  }

  private static long bound(long least, long perSecond) {
    long seconds = QUEUE_NANOS / NANOS_PER_SECOND;
    return perSecond > Long.MAX_VALUE / 2 / seconds ? Long.MAX_VALUE : least + perSecond * seconds;
  }

  /** How much the job may have under way in addition to what it has. */
  public long roomBytes(KnownSpeed known, long nowNanos) {
    Speed speed = measured(nowNanos).min(known.of(job));
    if (requests.get() >= requestsMax(speed)) {
      return 0;
    }
    long own = bytesMax(speed) - heldBytes.get();
    return Math.clamp(budget.freeBytes() - budget.reserveBytes(), 0, Math.max(0, own));
  }

  private synchronized Speed measured(long nowNanos) {
    long busySince = busySinceNanos;
    if (windowNanos - busySince < 0) {
      // It had nothing to do before: what was measured says nothing about now.
      begin(busySince);
      measured = Speed.UNKNOWN;
    }
    long elapsed = nowNanos - windowNanos;
    if (elapsed >= WINDOW_NANOS) {
      Speed latest =
          new Speed(
              perSecond(endedBytes.get() - windowBytes, elapsed),
              perSecond(endedRequests.get() - windowRequests, elapsed));
      measured = measured.equals(Speed.UNKNOWN) ? latest : mean(measured, latest);
      begin(nowNanos);
    }
    return measured;
  }

  private void begin(long nanos) {
    windowNanos = nanos;
    windowBytes = endedBytes.get();
    windowRequests = endedRequests.get();
  }

  /** Large requests at a low rate end in some seconds and not in others. */
  private static Speed mean(Speed before, Speed latest) {
    return new Speed(
        (3 * before.bytesPerSecond + latest.bytesPerSecond) / 4,
        (3 * before.requestsPerSecond + latest.requestsPerSecond) / 4);
  }

  private static long perSecond(long amount, long nanos) {
    return (long) ((double) amount * NANOS_PER_SECOND / nanos);
  }

  /** Gives back the bytes of a request that was served. */
  public void end(long bytes, long nowNanos) {
    endedBytes.addAndGet(bytes);
    endedRequests.incrementAndGet();
    giveUp(bytes, nowNanos);
  }

  /** Gives back the bytes of a request that will not be served. */
  public void giveUp(long bytes, long nowNanos) {
    lastEndedNanos = nowNanos;
    if (heldBytes.addAndGet(-bytes) < 0 || requests.decrementAndGet() < 0) {
      throw new IllegalStateException("job " + job + " gave back more than it took");
    }
    budget.giveBack(bytes);
  }

  public long heldBytes() {
    return heldBytes.get();
  }

  public long requests() {
    return requests.get();
  }

  boolean isIdleSince(long nanos) {
    return requests.get() == 0 && lastEndedNanos - nanos < 0;
  }
}
