package dev.sluice.core.schedule.sojourn;

import java.util.Arrays;

/**
 * Which of the phases that wait goes first, and by when each has to be done. Everything is in
 * tokens that are served from now on, whoever gets them: so it does not matter how fast that is.
 *
 * <p>A phase has two dates. The first is when fair sharing would be done with it. The second is
 * when its job is stretched by k, over this phase and the last ones: when it would be done alone,
 * and k of the job's cycles after that, less what its last phases were late by; k is the same for
 * all, and the smallest with which all dates can be kept. Its deadline is the earlier of the two.
 *
 * <p>Theorem. Let some order keep all fair dates. Then the order of deadlines keeps every deadline,
 * with k no more than {@link #STRETCH_STEP} above the smallest for which any order does; and so
 * does the order that has the phase first that is {@link #first}, which is the shortest of all with
 * which that is so, and the others behind it by deadline. So nobody is done later than by fair
 * sharing, and the largest stretch is the smallest possible with that, but for what is eased.
 *
 * <p>For the first half: if any order keeps all deadlines, then the one by deadline does (Jackson,
 * 1955). For the second: to go first delays only those with earlier deadlines, each by as much as
 * it takes; so what is needed is that none of them has less to spare.
 *
 * <p>Where no order keeps the fair dates, because sizes were wrong, the order is that of the
 * deadlines, and there is no more to it.
 */
final class PhaseOrder {
  /** So many phases at most: their numbers have to fit beside their deadlines. */
  static final int SIZE_MAX = 1 << 12;

  /** How exactly k is found. */
  static final double STRETCH_STEP = 1.0 / (1 << 14);

  private static final double STRETCH_MAX = 1 << 10;
  private static final long NUMBER_MASK = SIZE_MAX - 1;

  private double[] rest = new double[16];
  private double[] fair = new double[16];
  private double[] alone = new double[16];
  private double[] perStretch = new double[16];
  private double[] deadline = new double[16];
  private long[] sorted = new long[16];
  private int size;
  private int first;
  private double stretch;

  /** Forgets all phases. */
  void clear() {
    size = 0;
  }

  /**
   * Adds a phase.
   *
   * @param restTokens what is left of it
   * @param fairTokens after how many tokens fair sharing would be done with it
   * @param aloneTokens when it would be done if its job had been alone; negative where that is past
   * @param perStretchTokens how much later it is done for each unit of k
   */
  void add(double restTokens, double fairTokens, double aloneTokens, double perStretchTokens) {
    if (size == rest.length) {
      grow();
    }
    rest[size] = restTokens;
    fair[size] = fairTokens;
    alone[size] = aloneTokens;
    perStretch[size] = perStretchTokens;
    size++;
  }

  private void grow() {
    int capacity = 2 * size;
    if (capacity > SIZE_MAX) {
      throw new IllegalStateException("at most " + SIZE_MAX + " phases are put in order");
    }
    rest = Arrays.copyOf(rest, capacity);
    fair = Arrays.copyOf(fair, capacity);
    alone = Arrays.copyOf(alone, capacity);
    perStretch = Arrays.copyOf(perStretch, capacity);
    deadline = Arrays.copyOf(deadline, capacity);
    sorted = new long[capacity];
  }

  int size() {
    return size;
  }

  /**
   * Puts them in order; there is at least one.
   *
   * @param ease by how much more than the smallest k jobs may be stretched, so that who is short
   *     need not wait
   * @param toleranceTokens how much later than its deadline a phase may be done, because requests
   *     are not cut to pieces
   */
  void solve(double ease, double toleranceTokens) {
    double low = 0;
    double high = STRETCH_MAX;
    if (isKept(0, toleranceTokens)) {
      high = 0;
    } else if (isKept(high, toleranceTokens)) {
      while (high - low > STRETCH_STEP) {
        double middle = (low + high) / 2;
        if (isKept(middle, toleranceTokens)) {
          high = middle;
        } else {
          low = middle;
        }
      }
    }
    stretch = high;
    sortByDeadline(high + ease);
    first = shortestThatMayGoFirst();
  }

  /** Whether all deadlines are kept with this k, in the order of deadlines. */
  private boolean isKept(double k, double toleranceTokens) {
    sortByDeadline(k);
    double done = 0;
    for (int i = 0; i < size; i++) {
      int phase = at(i);
      done += rest[phase];
      if (done > deadline[phase] + toleranceTokens) {
        return false;
      }
    }
    return true;
  }

  /** The bits of a number that is not negative are in its order. */
  private void sortByDeadline(double k) {
    for (int i = 0; i < size; i++) {
      deadline[i] = Math.min(fair[i], alone[i] + k * perStretch[i]);
      long bits = Double.doubleToLongBits(Math.max(0, deadline[i]));
      sorted[i] = (bits & ~NUMBER_MASK) | i;
    }
    Arrays.sort(sorted, 0, size);
  }

  private int at(int place) {
    return (int) (sorted[place] & NUMBER_MASK);
  }

  private int shortestThatMayGoFirst() {
    int shortest = at(0);
    double done = 0;
    double spare = Double.POSITIVE_INFINITY;
    for (int i = 0; i < size; i++) {
      int phase = at(i);
      if (rest[phase] <= spare && rest[phase] < rest[shortest]) {
        shortest = phase;
      }
      done += rest[phase];
      spare = Math.min(spare, deadline[phase] - done);
    }
    return shortest;
  }

  /** The number of the phase that goes first, in the order in which they were added. */
  int first() {
    return first;
  }

  /** By when the phase with this number has to be done. */
  double deadlineTokens(int phase) {
    return deadline[phase];
  }

  /** The smallest k. */
  double stretch() {
    return stretch;
  }
}
