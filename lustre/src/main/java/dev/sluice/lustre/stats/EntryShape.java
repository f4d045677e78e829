package dev.sluice.lustre.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What the lines of an entry look like: all entries of a server have the same counters in the same
 * order, in columns of the same width. So most of a text need not be looked at: a line that begins
 * as that of the entry before and ends where that ended is the same counter. Not thread-safe.
 *
 * <p>Lines differ in length where a number outgrows its column, and by histograms and times. One
 * that does not end where the last did is searched for its end, from where the last began to vary.
 */
final class EntryShape {
  static final byte[] SAMPLES = "samples:".getBytes(StandardCharsets.US_ASCII);
  static final byte[] SUM = " sum:".getBytes(StandardCharsets.US_ASCII);

  /** What a line is that must not be taken for one like it. */
  static final int UNKNOWN = -1;

  /** What a line is of which nothing counts. */
  static final int NOT_COUNTED = 0;

  /** Instead of where a line ends: it is another one. */
  static final int OTHER = -1;

  /** Instead of where a line ends: that has not come yet. */
  static final int TO_COME = -2;

  /** More lines than any version's entries have. */
  private static final int LINES_MAX = 64;

  /** Blanks in front of a counter's name. */
  private static final int INDENT = 2;

  private static final VarHandle LETTERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long[] beginnings = new long[LINES_MAX];

  /** How long the line was that was read last; 0 where nothing may be taken for one like it. */
  private final int[] lengths = new int[LINES_MAX];

  /** How long its part is that is always as long. */
  private final int[] columns = new int[LINES_MAX];

  private final int[] values = new int[LINES_MAX];
  private final int[] sums = new int[LINES_MAX];
  private final int[] kinds = new int[LINES_MAX];
  private int count;

  // The same by the lines that count, one after another, for entries of which each line is known.

  /** The numbers of the lines that count, and that of lines behind the last. */
  private final int[] stops = new int[LINES_MAX + 1];

  /** How much is between a line that counts and the one before it. */
  private final int[] between = new int[LINES_MAX + 1];

  /** Where those lines end that are between two that count, from the end of the first. */
  private final int[] ends = new int[LINES_MAX];

  /** Where in these the lines in front of a line that counts begin. */
  private final int[] endsFrom = new int[LINES_MAX + 2];

  private int stopCount;

  /** Which kinds of lines there are, each a bit. */
  private int there;

  private boolean isWhole;

  /** How many lines there are in an entry; 0 as long as one of them is not known. */
  int lines() {
    return isWhole ? count : 0;
  }

  /** How many of them count. */
  int stops() {
    return stopCount;
  }

  /** The number of the line that is the one of this number among those that count. */
  int stop(int number) {
    return stops[number];
  }

  /** Whether an entry has a line of this kind. */
  boolean has(int kind) {
    return (there & 1 << kind) != 0;
  }

  /**
   * Where the line begins that is the one of this number among those that count, or where the entry
   * ends; {@link #OTHER} or {@link #TO_COME} where that cannot be said.
   *
   * <p>Lines that do not count are passed over by their ends alone: if each ends where it should,
   * nothing else can be among them, but for a line as long as the one whose place it has.
   *
   * @param start where the line that counts before it has ended, and the next begins
   */
  int passTo(int stop, byte[] text, int start, int length) {
    int next = start + between[stop];
    if (next > length) {
      return TO_COME;
    }
    int missed = 0;
    int to = endsFrom[stop + 1];
    for (int i = endsFrom[stop]; i < to; i++) {
      missed |= text[start + ends[i]] ^ '\n';
    }
    return missed == 0 ? next : passOneByOne(stop, text, start, length);
  }

  private int passOneByOne(int stop, byte[] text, int start, int length) {
    int from = start;
    for (int line = stop == 0 ? 0 : stops[stop - 1] + 1; line < stops[stop]; line++) {
      int end = end(text, from, length, line);
      if (end < 0) {
        return end;
      }
      from = end + 1;
    }
    return from;
  }

  /**
   * Where the line of this number ends that begins here; {@link #OTHER} where it is another, and
   * {@link #TO_COME} where its end has not come yet.
   */
  int end(byte[] text, int start, int length, int line) {
    int end = start + lengths[line];
    if (end >= length) {
      return TO_COME;
    }
    if ((long) LETTERS.get(text, start + INDENT) != beginnings[line]) {
      return OTHER;
    }
    return text[end] == '\n' ? end : searchEnd(text, start + columns[line], length);
  }

  private static int searchEnd(byte[] text, int from, int length) {
    int end = Letters.newline(text, from, length);
    return end < 0 ? TO_COME : end;
  }

  /** Whether a line that begins here, and may end there, begins as the one of this number. */
  boolean isLike(byte[] text, int start, int end, int line) {
    return line < count
        && lengths[line] > 0
        && start + columns[line] <= end
        && (long) LETTERS.get(text, start + INDENT) == beginnings[line];
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

  /** A line was read that is of an entry. */
  void learn(byte[] text, int start, int end, int line, int kind) {
    if (line > count || line == LINES_MAX) {
      return;
    }
    count = Math.max(count, line + 1);
    isWhole = false;
    columns[line] = columns(text, start, end);
    lengths[line] = kind == UNKNOWN || columns[line] == 0 ? 0 : end - start;
    if (lengths[line] > 0) {
      beginnings[line] = (long) LETTERS.get(text, start + INDENT);
      values[line] = behind(text, start, end, SAMPLES);
      sums[line] = behind(text, start, end, SUM);
      kinds[line] = kind;
      if (values[line] == 0) {
        values[line] = columns[line];
      }
    }
  }

  /** An entry is over that had so many lines. */
  void learnEnd(int lines) {
    if (isWhole && count == lines) {
      return;
    }
    count = Math.min(count, lines);
    isWhole = true;
    there = 0;
    stopCount = 0;
    endsFrom[1] = 0;
    int passed = 0;
    for (int line = 0; line < count; line++) {
      isWhole &= lengths[line] > 0;
      there |= 1 << kinds[line];
      if (kinds[line] == NOT_COUNTED) {
        ends[endsFrom[stopCount + 1]++] = passed + lengths[line];
        passed += lengths[line] + 1;
      } else {
        stop(line, passed);
        passed = 0;
      }
    }
    stop(count, passed);
    stopCount--;
  }

  private void stop(int line, int passed) {
    stops[stopCount] = line;
    between[stopCount] = passed;
    stopCount++;
    endsFrom[stopCount + 1] = endsFrom[stopCount];
  }

  private static int behind(byte[] text, int start, int end, byte[] wanted) {
    int at = Letters.indexOf(text, start, end, wanted);
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
