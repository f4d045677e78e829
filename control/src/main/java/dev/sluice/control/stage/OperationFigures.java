package dev.sluice.control.stage;

import dev.sluice.control.wire.RefusedException;
import dev.sluice.control.wire.Scopes;
import java.util.ArrayList;
import java.util.List;

/**
 * What was done of each operation: calls, bytes, and time waited for limits. Most jobs do few
 * operations, so that a bit for each says whether it is worth a look. Not thread-safe.
 */
public final class OperationFigures {
  /** What a message says of each operation: its number, calls, bytes, microseconds. */
  private static final int FIGURES = 4;

  /** More in one report is no usage, and sums of them would no longer be exact. */
  private static final long FIGURE_MAX = 1L << 50;

  private long present;
  private final long[] calls = new long[Scopes.OPERATION_NUMBERS];
  private final long[] bytes = new long[Scopes.OPERATION_NUMBERS];
  private final long[] waitedMicros = new long[Scopes.OPERATION_NUMBERS];

  public boolean isEmpty() {
    return present == 0;
  }

  public void add(int operation, long moreCalls, long moreBytes, long moreWaitedMicros) {
    present |= 1L << operation;
    calls[operation] += moreCalls;
    bytes[operation] += moreBytes;
    waitedMicros[operation] += moreWaitedMicros;
  }

  public void addAll(OperationFigures other) {
    for (long left = other.present; left != 0; left &= left - 1) {
      int operation = Long.numberOfTrailingZeros(left);
      add(operation, other.calls[operation], other.bytes[operation], other.waitedMicros[operation]);
    }
  }

  /** Adds what a report says; refuses it, and adds nothing, where that cannot be. */
  public void addFrom(List<Long> figures) throws RefusedException {
    check(figures);
    for (int i = 0; i < figures.size(); i += FIGURES) {
      add(figures.get(i).intValue(), figures.get(i + 1), figures.get(i + 2), figures.get(i + 3));
    }
  }

  private static void check(List<Long> figures) throws RefusedException {
    if (figures.size() % FIGURES != 0) {
      throw RefusedException.badMessage(
          "a job's usage has " + figures.size() + " figures; expected fours");
    }
    for (int i = 0; i < figures.size(); i += FIGURES) {
      if (Scopes.operation(figures.get(i)) == null) {
        throw RefusedException.badMessage("there is no operation number " + figures.get(i));
      }
      for (int k = 1; k < FIGURES; k++) {
        long figure = figures.get(i + k);
        if (figure < 0 || figure > FIGURE_MAX) {
          throw RefusedException.badMessage(
              "a job's usage has the figure "
                  + Long.toUnsignedString(figure)
                  + "; expected 0 to "
                  + FIGURE_MAX);
        }
      }
    }
  }

  /** As a report says it. */
  public List<Long> toFigures() {
    List<Long> figures = new ArrayList<>(FIGURES * Long.bitCount(present));
    for (long left = present; left != 0; left &= left - 1) {
      int operation = Long.numberOfTrailingZeros(left);
      figures.add((long) operation);
      figures.add(calls[operation]);
      figures.add(bytes[operation]);
      figures.add(waitedMicros[operation]);
    }
    return figures;
  }

  /** How much was used of what a limit is about: calls or bytes. */
  public long used(RateKey key) {
    long used = 0;
    long[] counted = key.countsBytes() ? bytes : calls;
    for (long left = present & key.operationBits(); left != 0; left &= left - 1) {
      used += counted[Long.numberOfTrailingZeros(left)];
    }
    return used;
  }

  /** How long all threads together waited with operations that a limit is about. */
  public long waitedMicros(RateKey key) {
    long waited = 0;
    for (long left = present & key.operationBits(); left != 0; left &= left - 1) {
      waited += waitedMicros[Long.numberOfTrailingZeros(left)];
    }
    return waited;
  }

  public long calls(int operation) {
    return calls[operation];
  }

  public long bytes(int operation) {
    return bytes[operation];
  }

  public void clear() {
    for (long left = present; left != 0; left &= left - 1) {
      int operation = Long.numberOfTrailingZeros(left);
      calls[operation] = 0;
      bytes[operation] = 0;
      waitedMicros[operation] = 0;
    }
    present = 0;
  }
}
