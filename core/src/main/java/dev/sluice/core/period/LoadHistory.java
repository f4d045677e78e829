package dev.sluice.core.period;

import java.util.Arrays;

/**
 * The bytes a job moved over time, at several resolutions at once: every level is a ring of equally
 * wide bins, four times as wide as those of the level below, and reaches four times as far back.
 *
 * <p>So a rhythm of any length is seen by some level in many bins a cycle and over many cycles,
 * whatever came before, in memory that does not grow. What a level has forgotten, the next one
 * still knows less exactly.
 */
final class LoadHistory {
  static final int LEVELS = 8;
  static final int BINS = 1024;

  /** The finest bins are 2^22 ns wide, 4.2 ms; the coarsest 69 s, which reaches back 19 hours. */
  private static final int FINEST_SHIFT = 22;

  private static final int SHIFT_STEP = 2;
  private static final int MASK = BINS - 1;

  /** The bytes in each bin, level by level; a bin's place is its number modulo the ring's size. */
  private final float[] bytes = new float[LEVELS * BINS];

  /** The number of each level's newest bin. */
  private final long[] newest = new long[LEVELS];

  /** The number of each level's oldest bin whose content is known; what is before it is nothing. */
  private final long[] oldest = new long[LEVELS];

  private boolean empty = true;
  private long firstNanos;

  /** How wide a level's bins are. */
  static long binNanos(int level) {
    return 1L << shift(level);
  }

  private static int shift(int level) {
    return FINEST_SHIFT + SHIFT_STEP * level;
  }

  /** Whether nothing came yet. */
  boolean isEmpty() {
    return empty;
  }

  /** Bytes that came at one moment; what is older than a level remembers is not told to it. */
  void add(long timeNanos, long amount) {
    see(timeNanos);
    for (int level = 0; level < LEVELS; level++) {
      long bin = timeNanos >> shift(level);
      if (open(level, bin, bin)) {
        bytes[place(level, bin)] += amount;
      }
    }
  }

  /** Bytes that came evenly between two moments. */
  void add(long fromNanos, long toNanos, long amount) {
    see(fromNanos);
    double perNano = (double) amount / (toNanos - fromNanos);
    for (int level = 0; level < LEVELS; level++) {
      long last = (toNanos - 1) >> shift(level);
      long first = Math.max(fromNanos >> shift(level), Math.max(last, newest[level]) - MASK);
      if (!open(level, first, last)) {
        continue;
      }
      for (long bin = first; bin <= last; bin++) {
        long begin = Math.max(fromNanos, bin << shift(level));
        long end = Math.min(toNanos, (bin + 1) << shift(level));
        bytes[place(level, bin)] += (float) (perNano * (end - begin));
      }
    }
  }

  private void see(long fromNanos) {
    if (empty) {
      empty = false;
      firstNanos = fromNanos;
      for (int level = 0; level < LEVELS; level++) {
        newest[level] = fromNanos >> shift(level);
        oldest[level] = newest[level];
      }
    }
    firstNanos = Math.min(firstNanos, fromNanos);
  }

  private static int place(int level, long bin) {
    return level * BINS + (int) (bin & MASK);
  }

  /**
   * Makes sure that the content of a level's bins from one to another is known, those that are new
   * empty; false if they are older than the level remembers.
   */
  private boolean open(int level, long first, long last) {
    long before = newest[level];
    if (last > before) {
      newest[level] = last;
      if (last - before >= BINS) {
        // Everything known is forgotten. To empty the ring now would make rare requests dear.
        oldest[level] = last;
        bytes[place(level, last)] = 0;
      } else {
        clear(level, before + 1, last);
        oldest[level] = Math.max(oldest[level], last - MASK);
      }
    }
    if (first <= newest[level] - BINS || first > last) {
      return false;
    }
    if (first < oldest[level]) {
      clear(level, first, oldest[level] - 1);
      oldest[level] = first;
    }
    return true;
  }

  private void clear(int level, long first, long last) {
    int from = place(level, first);
    int to = place(level, last) + 1;
    if (from < to) {
      Arrays.fill(bytes, from, to, 0);
    } else {
      Arrays.fill(bytes, from, (level + 1) * BINS, 0);
      Arrays.fill(bytes, level * BINS, to, 0);
    }
  }

  /** What a level knows up to a moment, which may be later than the last bytes. */
  Signal signal(int level, long nowNanos) {
    long end = Math.max(newest[level], nowNanos >> shift(level));
    long begin = Math.max(firstNanos >> shift(level), end - MASK);
    float[] loads = new float[(int) (end - begin) + 1];
    for (long bin = Math.max(begin, oldest[level]); bin <= newest[level]; bin++) {
      loads[(int) (bin - begin)] = bytes[place(level, bin)];
    }
    return new Signal(
        loads, begin << shift(level), binNanos(level), begin > firstNanos >> shift(level));
  }

  /** Throws {@link IllegalStateException} where the books contradict each other. */
  void checkInvariants() {
    for (int level = 0; level < LEVELS; level++) {
      if (oldest[level] > newest[level] || newest[level] - oldest[level] >= BINS) {
        throw new IllegalStateException(
            "level " + level + " knows bins " + oldest[level] + " to " + newest[level]);
      }
    }
    for (float amount : bytes) {
      if (!(amount >= 0)) {
        throw new IllegalStateException("a bin holds " + amount + " bytes");
      }
    }
  }
}
