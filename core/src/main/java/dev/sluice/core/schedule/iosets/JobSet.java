package dev.sluice.core.schedule.iosets;

import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.MaxWait;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of one priority, of which one is served at a time. As an entry of a heap it is there while
 * it has something queued and credit.
 */
final class JobSet extends IndexedHeap.Entry {
  /** Bound on a credit: the largest weight times the largest quantum. */
  static final long BALANCE_MAX = 1L << 62;

  /** The rank of a job that is served before all others of its set. */
  private static final long BEFORE_ALL = -1;

  /** A new phase counts for one part in 2^3 in what is typical. */
  private static final int TYPICAL_BITS = 3;

  private static final long MAX_WAIT_NANOS_MIN = 1_000_000_000L;

  /** As long as no phase is over nobody knows how long they are; most are shorter than this. */
  private static final long MAX_WAIT_NANOS_AT_FIRST = 60_000_000_000L;

  private static final long PAUSE_NANOS_MIN = 1_000_000L;
  private static final long PAUSE_NANOS_MAX = 1_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  final long weight;
  private final boolean shared;

  /** What it may still be served in this round, in tokens; negative when it was served more. */
  long balance;

  /** The last round that it got credit for. */
  long creditedRound = -1;

  /** What dividing by the smallest weight left over of its credit. */
  private long remainder;

  /** The smallest weight that the remainder is of. */
  private long remainderOf;

  /** Those that have something queued, by rank. */
  private final IndexedHeap<SetQueue> byRank = new IndexedHeap<>();

  /** The same, by how long they were not served. */
  private final IndexedHeap<SetQueue.Waiting> byWait = new IndexedHeap<>();

  /** The job that waited too long and has its turn before all others; null when none has. */
  private @Nullable SetQueue first;

  private long firstSinceNanos;

  /** What a job is typically served in a phase; 0 before the first is over. */
  private long typicalPhaseTokens;

  /**
   * @param shared whether it is for all jobs of this weight, not for one that nobody listed
   */
  JobSet(long weight, boolean shared) {
    this.weight = weight;
    this.shared = shared;
  }

  boolean isShared() {
    return shared;
  }

  /** How many jobs have something queued. */
  int backlogged() {
    return byRank.size();
  }

  /** The place, in the order of arrival, of the request that would be next. */
  long oldestSequence() {
    SetQueue next = byRank.peek();
    return next == null ? Long.MAX_VALUE : next.peekSequence();
  }

  /**
   * Takes note that a job has something queued again. If it had nothing for longer than a pause
   * within a phase takes, a phase is over and another begins.
   */
  void noteReturn(SetQueue queue, long nowNanos) {
    if (queue.phaseTokens > 0 && nowNanos - queue.unservedSinceNanos > pauseNanos()) {
      typicalPhaseTokens +=
          typicalPhaseTokens == 0
              ? queue.phaseTokens
              : (queue.phaseTokens - typicalPhaseTokens) >> TYPICAL_BITS;
      queue.phaseTokens = 0;
    }
  }

  /** A tenth of a period: its priority says which periods belong here. */
  private long pauseNanos() {
    double periodSeconds = (double) IoSetsScheduler.PRIORITY_ONE / weight;
    return Math.clamp(
        (long) (periodSeconds / 10 * NANOS_PER_SECOND), PAUSE_NANOS_MIN, PAUSE_NANOS_MAX);
  }

  /** A job that has something queued competes from now on. */
  void add(SetQueue queue) {
    byRank.insert(queue, queue.rank, 0);
    byWait.insert(queue.waiting, queue.unservedSinceNanos, queue.rank);
  }

  /** A job has nothing queued any more, or leaves. */
  void remove(SetQueue queue) {
    byRank.remove(queue);
    byWait.remove(queue.waiting);
    release(queue);
  }

  @SuppressWarnings("ReferenceEquality") // This very job.
  private void release(SetQueue queue) {
    if (first == queue) {
      first = null;
    }
  }

  /** Takes note that a job's rank may be another. */
  @SuppressWarnings("ReferenceEquality") // This very job.
  void reorder(SetQueue queue) {
    if (queue.isQueued() && first != queue) {
      byRank.update(queue, queue.rank, 0);
    }
  }

  /** Whose turn it is; somebody has something queued. */
  SetQueue current(MaxWait bound, long tokensPerSecond, long nowNanos) {
    if (byRank.size() > 1) {
      long maxWaitNanos =
          switch (bound) {
            case MaxWait.Automatic _ -> automaticNanos(tokensPerSecond);
            case MaxWait.Bounded(long nanos) -> nanos;
            case MaxWait.Unbounded _ -> Long.MAX_VALUE;
          };
      rescue(maxWaitNanos, nowNanos);
    }
    SetQueue current = byRank.peek();
    if (current == null) {
      throw new IllegalStateException(this + " has credit and nothing queued");
    }
    return current;
  }

  private long automaticNanos(long tokensPerSecond) {
    if (typicalPhaseTokens == 0) {
      return MAX_WAIT_NANOS_AT_FIRST;
    }
    double phaseNanos = typicalPhaseTokens * NANOS_PER_SECOND / tokensPerSecond;
    return Math.max(MAX_WAIT_NANOS_MIN, (long) (2 * phaseNanos));
  }

  /** Lets the job that was not served for longest go before all others if that is too long. */
  private void rescue(long maxWaitNanos, long nowNanos) {
    if (first != null && nowNanos - firstSinceNanos < maxWaitNanos) {
      return;
    }
    SetQueue.Waiting oldest = oldest(maxWaitNanos, nowNanos);
    if (oldest == null) {
      return;
    }
    SetQueue before = first;
    if (before != null) {
      byRank.update(before, before.rank, 0);
    }
    first = oldest.queue;
    firstSinceNanos = nowNanos;
    byRank.update(oldest.queue, BEFORE_ALL, 0);
  }

  /** The one that was not served for longest; null when it has not waited too long. */
  private SetQueue.@Nullable Waiting oldest(long maxWaitNanos, long nowNanos) {
    while (nowNanos - byWait.minKey() >= maxWaitNanos) {
      SetQueue.Waiting oldest = byWait.get(0);
      long sinceNanos = oldest.queue.unservedSinceNanos;
      if (nowNanos - sinceNanos >= maxWaitNanos) {
        return oldest;
      }
      // It was served meanwhile. Whoever is served is not moved each time, but when it matters.
      byWait.update(oldest, sinceNanos, oldest.queue.rank);
    }
    return null;
  }

  /** A request of this price was just taken from the current job. */
  void served(SetQueue queue, long price, long nowNanos) {
    balance -= price;
    queue.unservedSinceNanos = nowNanos;
    queue.phaseTokens += price;
    if (queue.isEmpty()) {
      remove(queue);
    }
  }

  /** Gives it what it may be served in so many rounds, of which {@code round} is the last. */
  void credit(long quantumTokens, long leastWeight, long rounds, long round) {
    boolean goesOn = creditedRound == round - rounds && remainderOf == leastWeight;
    long perRound = weight * quantumTokens;
    long carried = (goesOn ? remainder : 0) + rounds * (perRound % leastWeight);
    balance = Math.min(balance, 0) + rounds * (perRound / leastWeight) + carried / leastWeight;
    remainder = carried % leastWeight;
    remainderOf = leastWeight;
    creditedRound = round;
  }

  void checkInvariants() {
    byRank.checkInvariants();
    byWait.checkInvariants();
    if (byRank.size() != byWait.size()) {
      throw new IllegalStateException(
          this + ": " + byRank.size() + " jobs have a rank, " + byWait.size() + " wait");
    }
    for (int i = 0; i < byWait.size(); i++) {
      SetQueue.Waiting entry = byWait.get(i);
      if (byWait.key(entry) > entry.queue.unservedSinceNanos) {
        throw new IllegalStateException(entry.queue + " waits for longer than it is known to");
      }
    }
    if (first != null && !first.isQueued()) {
      throw new IllegalStateException(first + " has its turn and nothing queued");
    }
    if (balance > BALANCE_MAX || remainder < 0) {
      throw new IllegalStateException(this + " has credit for " + balance + " and " + remainder);
    }
  }

  @Override
  public String toString() {
    return "the set of weight " + weight;
  }
}
