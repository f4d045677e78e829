package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreService;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code lctl get_param *.job_stats} prints, as it comes: every form from Lustre 2.12 to
 * 2.17. Keeps one line and one entry, whatever the length of the text. Not thread-safe.
 *
 * <p>Theorem. Whatever the bytes and however they are cut into pieces, nothing is thrown; a
 * complete entry becomes one sample; an entry in which anything that counts is not understood
 * becomes none, and is told of.
 */
public final class JobStatsParser {
  /** Far longer than any line of a server; what is longer is not from one. */
  static final int LINE_BYTES_MAX = 1 << 16;

  /** Longer than most entries; of a longer one each line is kept by itself. */
  private static final int HELD_BYTES_MAX = 1 << 13;

  /** Longer than the name of any counter. */
  private static final int KEY_BYTES_MAX = 32;

  private static final int SHOWN_BYTES_MAX = 60;

  /** More bytes or requests than a job can have had; sums of a few stay below 2^63. */
  private static final long NUMBER_MAX = 1L << 58;

  /** A time may gain a digit below this. */
  private static final long TIME_MAX = Long.MAX_VALUE / 10 - 1;

  private static final byte[] ENTRY = Letters.ascii("- job_id:");
  private static final byte[] LIST = Letters.ascii("job_stats:");
  private static final byte[] HEADER = Letters.ascii(".job_stats=");
  private static final byte[] START_TIME = Letters.ascii("start_time");
  private static final byte[] SNAPSHOT_TIME = Letters.ascii("snapshot_time");
  private static final byte[] ELAPSED_TIME = Letters.ascii("elapsed_time");
  private static final byte[] READ = Letters.ascii("read");
  private static final byte[] WRITE = Letters.ascii("write");
  private static final byte[] READ_BYTES = Letters.ascii("read_bytes");
  private static final byte[] WRITE_BYTES = Letters.ascii("write_bytes");

  private static final long ENTRY_LETTERS = (long) Letters.LETTERS.get(ENTRY, 0);

  /** What a field is, for {@link EntryShape}. */
  private static final int NOT_COUNTED = EntryShape.NOT_COUNTED;

  private static final int READ_TRANSFERS = 1;
  private static final int WRITE_TRANSFERS = 2;
  private static final int READS = 3;
  private static final int WRITES = 4;
  private static final int COUNTED = 5;
  private static final int START = 6;
  private static final int KINDS = 7;

  private final boolean countsReadsAndWrites;
  private final byte[][] counted;
  private final EntryShape shape = new EntryShape();

  /** What lines of a kind say together, in an entry that may be like the one before. */
  private final long[] numbers = new long[KINDS];

  private final JobIdForm form;
  private final JobIds ids;
  private final JobStatsSink sink;

  /** The beginning of a line whose end has not come yet. */
  private byte[] partial = new byte[512];

  private int partialLength;

  /** The beginning of an entry that may be like the one before; its end has not come yet. */
  private final byte[] held = new byte[HELD_BYTES_MAX];

  private int heldLength;

  /** Whether the line that has begun is too long, and the rest of it is to be passed over. */
  private boolean overlong;

  private long line;
  private String target = "";

  /** The entry that is being read; null between entries and in one that is not understood. */
  private @Nullable String job;

  /** How many indented lines of the entry have been read. */
  private int field;

  private long startNanos;
  private long reads;
  private long writes;
  private long readTransfers;
  private long writeTransfers;
  private long others;
  private long readBytes;
  private long writtenBytes;

  /**
   * @param ids those that were shown before
   */
  public JobStatsParser(LustreService service, JobIdForm form, JobIds ids, JobStatsSink sink) {
    this.countsReadsAndWrites = service.countsReadsAndWrites();
    this.counted = service.counted().stream().map(Letters::ascii).toArray(byte[][]::new);
    this.form = form;
    this.ids = ids;
    this.sink = sink;
  }

  /** Takes the next bytes of the text. */
  public void accept(byte[] bytes, int length) {
    int from = heldLength > 0 ? complete(bytes, length) : 0;
    if (partialLength == 0 && !overlong) {
      from = knownEntries(bytes, from, length);
    }
    int end = Letters.newline(bytes, from, length);
    while (end >= 0) {
      endLine(bytes, from, end);
      from = knownEntries(bytes, end + 1, length);
      end = Letters.newline(bytes, from, length);
    }
    keepPartial(bytes, from, length);
  }

  /**
   * Takes whole entries that are like the one before, and keeps the beginning of one that may be;
   * answers where the first other begins.
   */
  private int knownEntries(byte[] bytes, int start, int length) {
    int from = start;
    int next = knownEntry(bytes, from, length);
    while (next >= 0) {
      from = next;
      next = knownEntry(bytes, from, length);
    }
    if (next == EntryShape.TO_COME && length - from <= HELD_BYTES_MAX) {
      endEntry();
      hold(bytes, from, length);
      return length;
    }
    return from;
  }

  private void hold(byte[] bytes, int from, int to) {
    System.arraycopy(bytes, from, held, heldLength, to - from);
    heldLength += to - from;
  }

  /** Adds the rest of an entry to its beginning; answers how many of the bytes that has used. */
  private int complete(byte[] bytes, int length) {
    int before = heldLength;
    int added = Math.min(length, HELD_BYTES_MAX - before);
    hold(bytes, 0, added);
    int end = knownEntry(held, 0, heldLength);
    if (end >= 0) {
      heldLength = 0;
      return end - before;
    }
    if (end == EntryShape.TO_COME && added == length) {
      return length;
    }
    heldLength = before;
    release();
    return 0;
  }

  /** Looks at each line of what is kept by itself. */
  private void release() {
    int from = 0;
    for (int end = Letters.newline(held, 0, heldLength);
        end >= 0;
        end = Letters.newline(held, from, heldLength)) {
      endLine(held, from, end);
      from = end + 1;
    }
    keepPartial(held, from, heldLength);
    heldLength = 0;
  }

  /**
   * Takes an entry whose lines are those of the one before, up to its last; answers where that
   * ends. Where anything is different or not understood it answers {@link EntryShape#OTHER}, and
   * where something is missing {@link EntryShape#TO_COME}; then nothing was taken.
   */
  private int knownEntry(byte[] bytes, int start, int length) {
    int lines = shape.lines();
    if (lines == 0
        || start + ENTRY.length > length
        || (long) Letters.LETTERS.get(bytes, start) != ENTRY_LETTERS
        || bytes[start + Long.BYTES] != ':') {
      return EntryShape.OTHER;
    }
    int begin = start + ENTRY.length;
    int expectedEnd = ids.expectedEnd(form, bytes, begin, length);
    int end = expectedEnd < 0 ? Letters.newline(bytes, begin, length) : expectedEnd;
    if (end < 0) {
      return EntryShape.TO_COME;
    }
    Arrays.fill(numbers, 0);
    int from = end + 1;
    int stops = shape.stops();
    for (int stop = 0; stop < stops; stop++) {
      from = shape.passTo(stop, bytes, from, length);
      int i = shape.stop(stop);
      int lineEnd = from < 0 ? from : shape.end(bytes, from, length, i);
      if (lineEnd < 0) {
        return lineEnd;
      }
      int kind = shape.kind(i);
      long number;
      if (kind == START) {
        number = Columns.usualTime(bytes, from + shape.value(i), lineEnd);
      } else if (kind > WRITE_TRANSFERS) {
        number = Columns.usualSamples(bytes, from + shape.value(i), lineEnd);
      } else {
        number = Columns.usualSum(bytes, from + shape.sum(i), lineEnd);
        int requests = kind == READ_TRANSFERS ? READS : WRITES;
        if (!shape.has(requests)) {
          numbers[requests] = Columns.usualSamples(bytes, from + shape.value(i), lineEnd);
        }
      }
      if (number < 0) {
        return EntryShape.OTHER;
      }
      numbers[kind] += number;
      from = lineEnd + 1;
    }
    from = shape.passTo(stops, bytes, from, length);
    if (from < 0) {
      return from;
    }
    if ((numbers[READS] | numbers[WRITES]) < 0) {
      return EntryShape.OTHER;
    }
    String id = expectedEnd < 0 ? ids.read(form, bytes, begin, end) : ids.readExpected();
    if (id == null) {
      return EntryShape.OTHER;
    }
    endEntry();
    job = id;
    field = lines;
    line += 1 + lines;
    startNanos = shape.has(START) ? numbers[START] : JobSample.START_UNKNOWN;
    reads = numbers[READS];
    writes = numbers[WRITES];
    others = numbers[COUNTED];
    readBytes = numbers[READ_TRANSFERS];
    writtenBytes = numbers[WRITE_TRANSFERS];
    return from;
  }

  private void endLine(byte[] bytes, int from, int to) {
    line++;
    if (overlong) {
      overlong = false;
      malformed("a line of more than " + LINE_BYTES_MAX + " bytes");
    } else if (partialLength == 0) {
      line(bytes, from, to);
    } else if (keepPartial(bytes, from, to)) {
      int length = partialLength;
      partialLength = 0;
      line(partial, 0, length);
    } else {
      overlong = false;
      malformed("a line of more than " + LINE_BYTES_MAX + " bytes");
    }
  }

  /** Keeps the beginning of a line; false where it is too long to be one. */
  private boolean keepPartial(byte[] bytes, int from, int to) {
    int added = to - from;
    if (overlong || partialLength + added > LINE_BYTES_MAX) {
      overlong = true;
      partialLength = 0;
      return false;
    }
    if (partialLength + added > partial.length) {
      partial =
          Arrays.copyOf(
              partial,
              Math.min(LINE_BYTES_MAX, Math.max(2 * partial.length, partialLength + added)));
    }
    System.arraycopy(bytes, from, partial, partialLength, added);
    partialLength += added;
    return true;
  }

  /** The text is complete. */
  public void finish() {
    release();
    if (partialLength > 0 || overlong) {
      line++;
      malformed("the text ends within a line");
    }
    endEntry();
    partialLength = 0;
    overlong = false;
  }

  /** The text broke off: the entry that was being read may lack some of its counters. */
  public void abandon() {
    job = null;
    heldLength = 0;
    partialLength = 0;
    overlong = false;
  }

  private void line(byte[] text, int from, int to) {
    if (from == to) {
      return;
    }
    switch (text[from]) {
      case ' ' -> {
        if (job != null) {
          if (!knownField(text, from, to)) {
            int kind = field(text, from, to);
            shape.learn(text, from, to, field, kind);
          }
          field++;
        }
      }
      case '-' -> {
        endEntry();
        beginEntry(text, from, to);
      }
      default -> unindented(text, from, to);
    }
  }

  /** Reads a field that is at its usual place in the entry; false where it may be another. */
  private boolean knownField(byte[] text, int from, int to) {
    if (!shape.isLike(text, from, to, field)) {
      return false;
    }
    int kind = shape.kind(field);
    int value = from + shape.value(field);
    if (kind == NOT_COUNTED) {
      return true;
    }
    if (kind != START
        && (long) Letters.LETTERS.get(text, value - Long.BYTES) != Columns.SAMPLES_LETTERS) {
      return false;
    }
    count(kind, text, value, from + shape.sum(field), to);
    return true;
  }

  /** The name of a target, the heading of a list, or a time as 2.15.0 writes it. */
  private void unindented(byte[] text, int from, int to) {
    int header = Letters.indexOf(text, from, to, HEADER);
    if (header > from) {
      endEntry();
      target = new String(text, from, header - from, StandardCharsets.ISO_8859_1);
    } else if (Letters.startsWith(text, from, to, LIST)) {
      endEntry();
    } else if (Letters.startsWith(text, from, to, START_TIME)
        || Letters.startsWith(text, from, to, SNAPSHOT_TIME)
        || Letters.startsWith(text, from, to, ELAPSED_TIME)) {
      if (job != null) {
        field(text, from, to);
      }
    } else {
      malformed(text, from, to, "expected job_stats");
    }
  }

  private void beginEntry(byte[] text, int from, int to) {
    if (!Letters.startsWith(text, from, to, ENTRY)) {
      malformed(text, from, to, "expected \"- job_id:\"");
      return;
    }
    String id = ids.read(form, text, from + ENTRY.length, to);
    if (id == null) {
      malformed(text, from, to, "expected a job id of 1 to " + LustreJobId.ACCEPTED_MAX + " bytes");
      return;
    }
    job = id;
    field = 0;
    startNanos = JobSample.START_UNKNOWN;
    reads = -1;
    writes = -1;
    readTransfers = 0;
    writeTransfers = 0;
    others = 0;
    readBytes = 0;
    writtenBytes = 0;
  }

  private void endEntry() {
    String id = job;
    if (id == null) {
      return;
    }
    job = null;
    shape.learnEnd(field);
    long read = 0;
    long written = 0;
    if (countsReadsAndWrites) {
      // A server that has both counts each request in both.
      read = reads >= 0 ? reads : readTransfers;
      written = writes >= 0 ? writes : writeTransfers;
    }
    sink.job(
        new JobSample(
            target,
            id,
            startNanos,
            others + read + written,
            read,
            written,
            readBytes,
            writtenBytes));
  }

  /** Reads a field; answers which it is. */
  private int field(byte[] text, int from, int to) {
    int key = Letters.skipBlanks(text, from, to);
    int end = key;
    while (end < to && text[end] != ':') {
      end++;
    }
    if (end == to || end - key > KEY_BYTES_MAX) {
      malformed(text, from, to, "expected a counter's name and a colon");
      return EntryShape.UNKNOWN;
    }
    int kind = kind(text, key, end - key);
    if (kind == START) {
      count(kind, text, end + 1, to, to);
    } else if (kind != NOT_COUNTED) {
      int samples = Letters.indexOf(text, end, to, EntryShape.SAMPLES);
      if (samples < 0) {
        misunderstood(text, from, to, "expected { samples: NUMBER");
        return EntryShape.UNKNOWN;
      }
      int value = samples + EntryShape.SAMPLES.length;
      count(kind, text, value, value, to);
    }
    return kind;
  }

  private int kind(byte[] text, int key, int length) {
    if (Letters.is(text, key, length, READ_BYTES)) {
      return READ_TRANSFERS;
    }
    if (Letters.is(text, key, length, WRITE_BYTES)) {
      return WRITE_TRANSFERS;
    }
    if (Letters.is(text, key, length, READ)) {
      return READS;
    }
    if (Letters.is(text, key, length, WRITE)) {
      return WRITES;
    }
    if (Letters.is(text, key, length, START_TIME)) {
      return START;
    }
    for (byte[] name : counted) {
      if (Letters.is(text, key, length, name)) {
        return COUNTED;
      }
    }
    return NOT_COUNTED;
  }

  /**
   * Reads what counts of a field.
   *
   * @param value where its number of samples is, or its time
   * @param sum where the sum of these should be
   */
  private void count(int kind, byte[] text, int value, int sum, int to) {
    switch (kind) {
      case READ_TRANSFERS -> {
        readTransfers = number(text, value, to);
        readBytes = sum(text, value, sum, to);
      }
      case WRITE_TRANSFERS -> {
        writeTransfers = number(text, value, to);
        writtenBytes = sum(text, value, sum, to);
      }
      case READS -> reads = number(text, value, to);
      case WRITES -> writes = number(text, value, to);
      case COUNTED -> others += number(text, value, to);
      case START -> startNanos = time(text, value, to);
      default -> throw new IllegalStateException("a field of kind " + kind);
    }
  }

  private long sum(byte[] text, int value, int expected, int to) {
    if (job == null) {
      return 0;
    }
    int at = expected - EntryShape.SUM.length;
    boolean isThere = at > value && expected < to && Letters.matches(text, at, EntryShape.SUM);
    int found = isThere ? at : Letters.indexOf(text, value, to, EntryShape.SUM);
    return found < 0
        ? misunderstood(text, value, to, "expected sum: NUMBER")
        : number(text, found + EntryShape.SUM.length, to);
  }

  private long number(byte[] text, int start, int to) {
    long number = 0;
    int from = Letters.skipBlanks(text, start, to);
    int at = from;
    if (from + Long.BYTES <= to) {
      long letters = (long) Letters.LETTERS.get(text, from) ^ Letters.ZEROS;
      int digits = Columns.digits(letters);
      if (digits == Long.BYTES) {
        number = Columns.eightDigits(letters);
        at += digits;
      } else if (digits > 0) {
        // What is in front of them counts as zeros.
        number = Columns.eightDigits(letters << (Long.SIZE - Byte.SIZE * digits));
        at += digits;
      }
    }
    while (at < to && text[at] >= '0' && text[at] <= '9') {
      number = 10 * number + (text[at] - '0');
      if (number > NUMBER_MAX) {
        return misunderstood(text, from, to, "expected a number of at most 2^58");
      }
      at++;
    }
    boolean ends = at < to && (text[at] == ',' || text[at] == ' ');
    return at == from || !ends ? misunderstood(text, from, to, "expected a number") : number;
  }

  /** Seconds, with or without a fraction. */
  private long time(byte[] text, int from, int to) {
    int at = Letters.skipBlanks(text, from, to);
    int first = at;
    long usual = Columns.usualTime(text, first, to);
    if (usual >= 0) {
      return usual;
    }
    long nanos = 0;
    int fraction = -1;
    while (at < to && fraction < Columns.NANOS_DIGITS) {
      byte letter = text[at];
      if (letter == '.' && fraction < 0 && at > first) {
        fraction = 0;
      } else if (letter >= '0' && letter <= '9' && nanos <= TIME_MAX) {
        nanos = 10 * nanos + (letter - '0');
        fraction += fraction < 0 ? 0 : 1;
      } else {
        break;
      }
      at++;
    }
    if (at == first || (at < to && text[at] != ' ')) {
      return misunderstood(text, from, to, "expected a time in seconds");
    }
    for (int digit = Math.max(fraction, 0); digit < Columns.NANOS_DIGITS; digit++) {
      if (nanos > TIME_MAX) {
        return misunderstood(text, from, to, "expected a time in seconds");
      }
      nanos *= 10;
    }
    return nanos;
  }

  /** The entry is not understood: it is left out, and told of once. */
  private long misunderstood(byte[] text, int from, int to, String expected) {
    if (job != null) {
      malformed(text, from, to, expected);
    }
    return 0;
  }

  private void malformed(byte[] text, int from, int to, String expected) {
    String shown =
        new String(text, from, Math.min(to - from, SHOWN_BYTES_MAX), StandardCharsets.ISO_8859_1);
    malformed("\"" + shown.strip().replaceAll("\\p{Cntrl}", "?") + "\": " + expected);
  }

  private void malformed(String problem) {
    job = null;
    sink.malformed((target.isEmpty() ? "job_stats" : target) + ", line " + line + ": " + problem);
  }
}
