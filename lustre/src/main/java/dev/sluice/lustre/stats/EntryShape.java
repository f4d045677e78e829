package dev.sluice.lustre.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the lines of an entry look like: all entries of a server have the same counters in the same
 * order, in columns of the same width. So most of a text need not be looked at: where a line begins
 * as the same line of the entry before and has the same letter at the end of its columns, it is the
 * same counter, and there is no other line before that letter. Not thread-safe.
 *
 * <p>Columns grow by a few letters where a number is large. A line that was learnt so has its last
 * letter where a shorter one has the blanks and the name of the next, so that is not mistaken.
 */
final class EntryShape {
  static final byte[] SAMPLES = "samples:".getBytes(StandardCharsets.US_ASCII);
  static final byte[] SUM = " sum:".getBytes(StandardCharsets.US_ASCII);

  /** What a line is that must not be taken for one like it. */
  static final int UNKNOWN = -1;

  /** More lines than any version's entries have. */
  private static final int LINES_MAX = 64;

  /** Blanks in front of a counter's name. */
  private static final int INDENT = 2;

  private static final VarHandle LETTERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long[] beginnings = new long[LINES_MAX];
  private final int[] columns = new int[LINES_MAX];
  private final byte[] lasts = new byte[LINES_MAX];
  private final int[] values = new int[LINES_MAX];
  private final int[] sums = new int[LINES_MAX];
  private final int[] kinds = new int[LINES_MAX];
  private int count;

  /** Whether what begins here is the line of this number of the entry before. */
  boolean isKnown(byte[] text, int start, int length, int line) {
    return line < count
        && columns[line] > 0
        && start + columns[line] <= length
        && text[start + columns[line] - 1] == lasts[line]
        && (long) LETTERS.get(text, start + INDENT) == beginnings[line];
  }

  /** How long the part of a line is that is always as long. */
  int columns(int line) {
    return columns[line];
  }

  /** Which counter it is. */
  int kind(int line) {
    return kinds[line];
  }

  /** How far from its beginning its number of samples is, or its time. */
  int value(int line) {
    return values[line];
  }

  /** How far from its beginning the sum is; 0 where it has none. */
  int sum(int line) {
    return sums[line];
  }

  /** A line was read. */
  void learn(byte[] text, int start, int end, int line, int kind) {
    if (line > count || line == LINES_MAX) {
      return;
    }
    count = Math.max(count, line + 1);
    columns[line] = kind == UNKNOWN ? 0 : columns(text, start, end);
    if (columns[line] > 0) {
      beginnings[line] = (long) LETTERS.get(text, start + INDENT);
      lasts[line] = text[start + columns[line] - 1];
      values[line] = behind(text, start, end, SAMPLES);
      sums[line] = behind(text, start, end, SUM);
      kinds[line] = kind;
      if (values[line] == 0) {
        values[line] = columns[line];
      }
    }
  }

  private static int behind(byte[] text, int start, int end, byte[] wanted) {
    int at = JobStatsParser.indexOf(text, start, end, wanted);
    return at < 0 ? 0 : at + wanted.length - start;
  }

  /**
   * How long the part of a line in columns is: up to the inner brace of a histogram, the end of
   * other counters, and the blanks in front of a time; 0 where there is no such part.
   */
  private static int columns(byte[] text, int start, int end) {
    int brace = start;
    int colon = end;
    while (brace < end && text[brace] != '{') {
      colon = text[brace] == ':' ? Math.min(colon, brace) : colon;
      brace++;
    }
    int last;
    if (brace == end) {
      last = colon + 1;
      while (last < end && text[last] == ' ') {
        last++;
      }
    } else {
      last = brace + 1;
      while (last < end && text[last] != '{') {
        last++;
      }
      last = Math.min(last + 1, end);
    }
    boolean isLong = last - start >= INDENT + Long.BYTES && last <= end;
    return isLong ? last - start : 0;
  }
}
