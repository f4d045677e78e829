package dev.sluice.lustre.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * What the lines of an entry look like: all entries of a server have the same counters in the same
 * order, in columns of the same width. So most of a text need not be looked at: where a line begins
 * as the same line of the entry before and has the same letter at the end of its columns, it is the
 * same counter, and there is no other line before that letter. Not thread-safe.
 *
 * <p>Lines whose length follows from what they say, such as times, are never passed over. Columns
 * may grow by a few letters where a number is large; a line that is learnt so is passed over by
 * those few letters too far only if the line below it has such a letter there, which is its name.
 */
final class EntryShape {
  /** No line like this is known. */
  static final int UNKNOWN = -1;

  /** More lines than any version's entries have. */
  private static final int LINES_MAX = 64;

  /** Blanks in front of a counter's name. */
  private static final int INDENT = 2;

  private static final VarHandle LETTERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long[] beginnings = new long[LINES_MAX];
  private final int[] lengths = new int[LINES_MAX];
  private final byte[] lasts = new byte[LINES_MAX];
  private final int[] values = new int[LINES_MAX];
  private final int[] kinds = new int[LINES_MAX];
  private int count;
  private int from;

  /**
   * Where to look for the end of a line.
   *
   * @return behind the columns of a line that is known, else its beginning
   */
  int skip(byte[] text, int start, int length, int line) {
    return isKnown(text, start, length, line) ? start + lengths[line] : start;
  }

  private boolean isKnown(byte[] text, int start, int length, int line) {
    return line < count
        && lengths[line] > 0
        && start + lengths[line] <= length
        && text[start + lengths[line] - 1] == lasts[line]
        && (long) LETTERS.get(text, start + INDENT) == beginnings[line];
  }

  /** Which counter a line is; {@link #UNKNOWN} where it must be read to know. */
  int kind(byte[] text, int start, int end, int line) {
    from = start;
    return isKnown(text, start, end, line) ? kinds[line] : UNKNOWN;
  }

  /** Where the value of the line begins whose kind was asked for last. */
  int value(int line) {
    return from + values[line];
  }

  /** A line was read. */
  void learn(byte[] text, int start, int end, int line, int kind) {
    if (line > count || line == LINES_MAX || kind == UNKNOWN) {
      return;
    }
    count = Math.max(count, line + 1);
    int columns = columns(text, start, end);
    lengths[line] = columns;
    if (columns > 0) {
      beginnings[line] = (long) LETTERS.get(text, start + INDENT);
      lasts[line] = text[start + columns - 1];
      int colon = start;
      while (text[colon] != ':') {
        colon++;
      }
      values[line] = colon + 1 - start;
      kinds[line] = kind;
    }
  }

  /** How long the part of a line in columns is; 0 where it has none. */
  private static int columns(byte[] text, int start, int end) {
    if (end - start < INDENT + Long.BYTES || text[end - 1] != '}') {
      return 0;
    }
    int first = start;
    while (first < end && text[first] != '{') {
      first++;
    }
    if (first == end - 1) {
      return 0;
    }
    for (int i = first + 1; i < end; i++) {
      if (text[i] == '{') {
        // What is between the braces of a histogram is as long as it is.
        return i + 1 - start;
      }
    }
    return end - start;
  }
}
