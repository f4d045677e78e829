package dev.sluice.control.stage;

import java.util.Arrays;
import java.util.List;

/**
 * What a job may do on one node, and what the node was told of it; only what differs needs to be
 * told. A few entries in columns, because ten thousand nodes have some each. Not thread-safe.
 */
final class Rates {
  /** No limit. */
  static final long NONE = -1;

  private static final int FIRST_ROOM = 2;

  private int size;
  private int[] numbers = new int[FIRST_ROOM];
  private long[] wanted = new long[FIRST_ROOM];
  private long[] told = new long[FIRST_ROOM];

  /** Sets what is wanted; whether that was something else before. */
  boolean want(int number, long perSecond) {
    int at = indexOf(number);
    if (at < 0) {
      if (perSecond == NONE) {
        return false;
      }
      at = append(number);
    }
    boolean changed = wanted[at] != perSecond;
    wanted[at] = perSecond;
    return changed;
  }

  /** What is wanted of this key, or {@link #NONE}. */
  long wanted(int number) {
    int at = indexOf(number);
    return at < 0 ? NONE : wanted[at];
  }

  /** Wants nothing any more but for these keys; whether that changes anything. */
  boolean keepOnly(long[] numberBits) {
    boolean changed = false;
    for (int i = 0; i < size; i++) {
      boolean kept = (numberBits[numbers[i] >> 6] & 1L << numbers[i]) != 0;
      if (!kept && wanted[i] != NONE) {
        wanted[i] = NONE;
        changed = true;
      }
    }
    return changed;
  }

  /** Adds to a list, in pairs as messages have them, what must be told; from now on it is told. */
  void tell(List<Long> pairs) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (wanted[i] != told[i]) {
        pairs.add((long) numbers[i]);
        pairs.add(wanted[i] + 1);
        told[i] = wanted[i];
      }
      if (told[i] != NONE) {
        numbers[kept] = numbers[i];
        wanted[kept] = wanted[i];
        told[kept] = told[i];
        kept++;
      }
    }
    size = kept;
  }

  private int append(int number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      wanted = Arrays.copyOf(wanted, 2 * size);
      told = Arrays.copyOf(told, 2 * size);
    }
    numbers[size] = number;
    wanted[size] = NONE;
    told[size] = NONE;
    return size++;
  }

  private int indexOf(int number) {
    for (int i = 0; i < size; i++) {
      if (numbers[i] == number) {
        return i;
      }
    }
    return -1;
  }
}
