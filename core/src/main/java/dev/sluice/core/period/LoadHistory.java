package dev.sluice.core.period;

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
  private long lastNanos;

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

  /** When the first bytes came. */
  long firstNanos() {
    return firstNanos;
  }

  /** When the last bytes came. */
  long lastNanos() {
    return lastNanos;
  }

  /** Bytes that came at one moment; what is older than a level remembers is not told to it. */
  void add(long timeNanos, long amount) {
    begin(timeNanos);
    for (int level = 0; level < LEVELS; level++) {
      long bin = timeNanos >> shift(level);
      advance(level, bin);
      if (bin > newest[level] - BINS && bin >= oldest[level]) {
        bytes[level * BINS + (int) (bin & MASK)] += amount;
      }
    }
    lastNanos = Math.max(lastNanos, timeNanos);
  }

  /** Bytes that came evenly between two moments. */
  void add(long fromNanos, long toNanos, long amount) {
    begin(fromNanos);
    for (int level = 0; level < LEVELS; level++) {
      spread(level, fromNanos, toNanos, amount);
    }
    lastNanos = Math.max(lastNanos, toNanos);
  }

  private void spread(int level, long fromNanos, long toNanos, long amount) {
    long first = fromNanos >> shift(level);
    long last = (toNanos - 1) >> shift(level);
    advance(level, Math.max(first, last));
    double perNano = (double) amount / (toNanos - fromNanos);
    for (long bin = Math.max(first, newest[level] - MASK); bin <= last; bin++) {
      long begin = Math.max(fromNanos, bin << shift(level));
      long end = Math.min(toNanos, (bin + 1) << shift(level));
      if (bin >= oldest[level]) {
        bytes[level * BINS + (int) (bin & MASK)] += (float) (perNano * (end - begin));
      }
    }
  }

  private void begin(long timeNanos) {
    if (empty) {
      empty = false;
      firstNanos = timeNanos;
      lastNanos = timeNanos;
      for (int level = 0; level < LEVELS; level++) {
        newest[level] = timeNanos >> shift(level);
        oldest[level] = newest[level];
      }
    }
  }

  /** Makes a bin the newest; those between are empty. */
  private void advance(int level, long bin) {
    long known = newest[level];
    if (bin <= known) {
      return;
    }
    if (bin - known >= BINS) {
      // Everything known is forgotten; zeroing it now would make rare requests dear.
      oldest[level] = bin;
      bytes[level * BINS + (int) (bin & MASK)] = 0;
    } else {
      for (long next = known + 1; next <= bin; next++) {
        bytes[level * BINS + (int) (next & MASK)] = 0;
      }
      oldest[level] = Math.max(oldest[level], bin - MASK);
    }
    newest[level] = bin;
  }

  /** What a level knows up to a moment, which may be later than the last bytes. */
  Signal signal(int level, long nowNanos) {
    long end = Math.max(newest[level], nowNanos >> shift(level));
    long begin = Math.max(firstNanos >> shift(level), end - MASK);
    float[] loads = new float[(int) (end - begin) + 1];
    for (long bin = Math.max(begin, oldest[level]); bin <= newest[level]; bin++) {
      loads[(int) (bin - begin)] = bytes[level * BINS + (int) (bin & MASK)];
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
