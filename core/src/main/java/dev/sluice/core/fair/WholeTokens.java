package dev.sluice.core.fair;

import org.jspecify.annotations.Nullable;

/**
 * Turns real-valued allocations into whole tokens that add up to a given total, carrying to the
 * next time what each one was rounded by.
 *
 * <p>Everybody first gets the whole part of what is due. A token that is left over goes to the one
 * who would otherwise be first to fall a whole token behind; among those it goes to the largest
 * remainder, then to the first in order. For allocations of at least one token everybody with a
 * remainder falls behind next time, so this is largest remainder first. For smaller ones the
 * largest remainder alone is not enough: it hands tokens to slow takers long before they are due,
 * and the fast ones then wait (the pair of weights 1 and 28 at 9.94 tokens shows it within 55
 * rounds).
 *
 * <p>Instances hold working space and are not thread-safe.
 */
public final class WholeTokens {
  /** Forgives the rounding of doubles: what is this close below a whole number is that number. */
  private static final double EPSILON = 1e-9;

  private static final double DEADLINE_ROUNDS_MAX = 1e12;

  private final double[] keys;
  private final int[] candidates;

  /** Working space for allocations among at most {@code capacity} parties. */
  public WholeTokens(int capacity) {
    keys = new double[capacity];
    candidates = new int[capacity];
  }

  /**
   * Rounds the first {@code n} entries.
   *
   * <p>Theorem. Let {@code due = real + remainder}, all {@code real ≥ 0}, and {@code 0 ≤ total ≤ Σ
   * caps}. Afterwards {@code Σ whole = total}; {@code 0 ≤ whole ≤ cap}; and {@code remainder' = due
   * − whole}. If moreover {@code total ≤ Σ due < total + 1}, no {@code due} is negative and no cap
   * binds, then each {@code whole} is {@code due} rounded down or up, so {@code |remainder'| < 1}.
   *
   * <p>Linear expected time while the total is within {@code n} of what is due and fits the caps;
   * every further {@code n} tokens cost another round.
   *
   * @param real what each is due this time
   * @param remainder what each is still due from earlier times; updated
   * @param caps the most that each may get, or null where there is no bound
   * @param whole receives the result
   */
  public void round(
      int n, double[] real, double[] remainder, long @Nullable [] caps, long total, long[] whole) {
    long given = 0;
    for (int i = 0; i < n; i++) {
      double due = real[i] + remainder[i];
      long floor = Math.max(0, (long) Math.floor(due + EPSILON));
      whole[i] = caps == null ? floor : Math.min(floor, caps[i]);
      remainder[i] = due - whole[i];
      given += whole[i];
    }
    while (given < total) {
      int count = 0;
      for (int i = 0; i < n; i++) {
        if (caps == null || whole[i] < caps[i]) {
          candidates[count++] = i;
          keys[i] = urgency(real[i], remainder[i]);
        }
      }
      given += adjust(count, total - given, 1, remainder, whole);
    }
    while (given > total) {
      int count = 0;
      for (int i = 0; i < n; i++) {
        if (whole[i] > 0) {
          candidates[count++] = i;
          keys[i] = remainder[i];
        }
      }
      given -= adjust(count, given - total, -1, remainder, whole);
    }
  }

  /** Moves one token to or from each of the {@code wanted} candidates with the smallest keys. */
  private int adjust(int count, long wanted, int direction, double[] remainder, long[] whole) {
    if (count == 0) {
      throw new IllegalArgumentException("the total cannot be met within the caps");
    }
    int chosen = (int) Math.min(wanted, count);
    selectSmallest(count, chosen);
    for (int k = 0; k < chosen; k++) {
      int i = candidates[k];
      whole[i] += direction;
      remainder[i] -= direction;
    }
    return chosen;
  }

  /**
   * Orders first by the number of rounds until the remainder reaches a whole token, then by the
   * larger remainder, in one number: remainders differ by less than the 4 that one round weighs.
   */
  private static double urgency(double real, double remainder) {
    double rounds = DEADLINE_ROUNDS_MAX;
    if (remainder > EPSILON && real > 0) {
      rounds = Math.min(rounds, Math.max(1, Math.ceil((1 - remainder) / real - EPSILON)));
    }
    return 4 * rounds - remainder;
  }

  /**
   * Rearranges the candidates so that the first {@code wanted} have the smallest (key, index)
   * pairs, in linear expected time. The pairs are distinct, so the chosen set does not depend on
   * how.
   */
  private void selectSmallest(int count, int wanted) {
    int low = 0;
    int high = count - 1;
    while (wanted <= high) {
      int pivot = candidates[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (before(candidates[i], pivot)) {
          i++;
        }
        while (before(pivot, candidates[j])) {
          j--;
        }
        if (i <= j) {
          int swapped = candidates[i];
          candidates[i++] = candidates[j];
          candidates[j--] = swapped;
        }
      }
      if (wanted <= j) {
        high = j;
      } else if (wanted > i) {
        low = i;
      } else {
        return;
      }
    }
  }

  private boolean before(int a, int b) {
    return keys[a] < keys[b] || (keys[a] == keys[b] && a < b);
  }
}
