package dev.sluice.lustre.stats;

/**
 * Reads numbers in columns of the width that nearly all servers give them, without looking at their
 * letters one by one; what is of another form is told, and read by whoever has more patience.
 */
final class Columns {
  /** Of a fraction of a second. */
  static final int NANOS_DIGITS = 9;

  /** What stands in front of a number of samples. */
  static final long SAMPLES_LETTERS = (long) Letters.LETTERS.get(EntryShape.SAMPLES, 0);

  /** What stands in front of a sum. */
  private static final int SUM_LETTERS = (int) Letters.FOUR_LETTERS.get(Letters.ascii("sum:"), 0);

  /** Added to a byte of more than nine, it makes its highest bit one. */
  private static final long BEYOND_NINE = 0x7676767676767676L;

  /** Seconds of ten digits, a point and nine digits, as all servers since 2.15.2 write them. */
  private static final int SECONDS_DIGITS = 10;

  private static final int TIME_LETTERS = SECONDS_DIGITS + 1 + NANOS_DIGITS;
  private static final long SECONDS_MAX = 9_000_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A blank and eleven letters, in which all servers since 2.12 write how many samples. */
  private static final int SAMPLES_LETTERS_WIDE = 12;

  /** Sixteen letters for a sum; since 2.15 there is a blank in front. */
  private static final int SUM_LETTERS_WIDE = 16;

  private static final long EIGHT_DIGITS = 100_000_000;

  private Columns() {}

  /**
   * How many of these bytes, each less the digit zero, are digits before the first that is none.
   */
  static int digits(long letters) {
    // A carry goes out of a byte that is no digit, and so beyond what is asked for.
    long others = ((letters + BEYOND_NINE) | letters) & Letters.HIGHEST;
    return others == 0 ? Long.BYTES : Long.numberOfTrailingZeros(others) >>> 3;
  }

  /** The number that eight digits make, the first in the lowest byte: pairs, fours, and all. */
  static long eightDigits(long digits) {
    long pairs = (digits * 10 + (digits >>> 8)) & 0x00FF00FF00FF00FFL;
    long fours = (pairs * 100 + (pairs >>> 16)) & 0x0000FFFF0000FFFFL;
    return (fours * 10_000 + (fours >>> 32)) & 0xFFFFFFFFL;
  }

  /**
   * A number of samples in a column of the usual width, behind its name and in front of a comma;
   * negative where it is of another form.
   */
  static long usualSamples(byte[] text, int value, int to) {
    int end = value + SAMPLES_LETTERS_WIDE;
    if (end >= to
        || text[end] != ','
        || (long) Letters.LETTERS.get(text, value - Long.BYTES) != SAMPLES_LETTERS
        || (int) Letters.FOUR_LETTERS.get(text, value) != (int) Letters.BLANKS) {
      return -1;
    }
    return rightmost((long) Letters.LETTERS.get(text, end - Long.BYTES));
  }

  /** A sum in a column of the usual width; negative where it is of another form. */
  static long usualSum(byte[] text, int value, int to) {
    int end = value + SUM_LETTERS_WIDE;
    if (end + 1 >= to
        || (int) Letters.FOUR_LETTERS.get(text, value - Integer.BYTES) != SUM_LETTERS) {
      return -1;
    }
    if (text[value] == ' ' && text[end + 1] == ',') {
      end++;
    } else if (text[end] != ',') {
      return -1;
    }
    long high = (long) Letters.LETTERS.get(text, end - 2 * Long.BYTES);
    long low = (long) Letters.LETTERS.get(text, end - Long.BYTES);
    if (high == Letters.BLANKS) {
      return rightmost(low);
    }
    long digits = low ^ Letters.ZEROS;
    long millions = rightmost(high);
    return millions < 0 || digits(digits) < Long.BYTES
        ? -1
        : millions * EIGHT_DIGITS + eightDigits(digits);
  }

  /**
   * The number at the end of eight letters, of which the first are blanks; negative where there is
   * none, or they are not.
   */
  private static long rightmost(long letters) {
    long digits = letters ^ Letters.ZEROS;
    long others = ((digits + BEYOND_NINE) | digits) & Letters.HIGHEST;
    int blanks = Long.SIZE - Long.numberOfLeadingZeros(others);
    if (blanks == Long.SIZE) {
      return -1;
    }
    // Its digits are the highest bytes.
    long below = (1L << blanks) - 1;
    return ((letters ^ Letters.BLANKS) & below) == 0 ? eightDigits(digits & ~below) : -1;
  }

  /** A time of the usual form; negative where it is of another. */
  static long usualTime(byte[] text, int first, int to) {
    if (first + TIME_LETTERS >= to
        || text[first + SECONDS_DIGITS] != '.'
        || text[first + TIME_LETTERS] != ' ') {
      return -1;
    }
    long high = (long) Letters.LETTERS.get(text, first) ^ Letters.ZEROS;
    long low = (long) Letters.LETTERS.get(text, first + SECONDS_DIGITS + 1) ^ Letters.ZEROS;
    int tens = text[first + SECONDS_DIGITS - 2] - '0';
    int ones = text[first + SECONDS_DIGITS - 1] - '0';
    int last = text[first + TIME_LETTERS - 1] - '0';
    boolean isOne =
        digits(high) == Long.BYTES
            && digits(low) == Long.BYTES
            && isDigit(tens)
            && isDigit(ones)
            && isDigit(last);
    long seconds = 100 * eightDigits(high) + 10L * tens + ones;
    return isOne && seconds <= SECONDS_MAX
        ? seconds * NANOS_PER_SECOND + 10 * eightDigits(low) + last
        : -1;
  }

  private static boolean isDigit(int value) {
    return value >= 0 && value <= 9;
  }
}
