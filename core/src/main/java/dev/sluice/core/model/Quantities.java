package dev.sluice.core.model;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The units people write: 200 MB/s, 5 GiB, 100 ms, 20 kops/s. */
public final class Quantities {
  private static final Pattern NUMBER_AND_UNIT =
      Pattern.compile("\\s*(\\d{1,18}(?:\\.\\d{1,18})?)\\s*(\\S*)\\s*");

  private static final Map<String, Long> NANOS =
      Map.ofEntries(
          Map.entry("ns", 1L),
          Map.entry("us", 1_000L),
          Map.entry("µs", 1_000L),
          Map.entry("ms", 1_000_000L),
          Map.entry("s", Rate.NANOS_PER_SECOND),
          Map.entry("min", 60 * Rate.NANOS_PER_SECOND),
          Map.entry("h", 3_600 * Rate.NANOS_PER_SECOND),
          Map.entry("d", 86_400 * Rate.NANOS_PER_SECOND));

  private static final Map<String, Long> BYTES = byteUnits();

  private static final Map<String, Long> COUNT_PREFIXES =
      Map.of("", 1L, "k", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L);

  private static final long MILLION = 1_000_000;

  /** Behind the point, of numbers close to nothing. */
  private static final double DIGITS_MAX = 12;

  private static final String DURATION_EXPECTED = "expected a duration such as 100 ms, 10 s or 2 h";
  private static final String BYTES_EXPECTED = "expected a size such as 4096, 64 KiB or 1.5 GB";
  private static final String RATE_EXPECTED =
      "expected a rate such as 1000 tokens/s, 20 kops/s or 200 MB/s";

  private Quantities() {}

  /** What a rate counts. */
  public enum Counted {
    TOKENS,
    OPERATIONS,
    BYTES
  }

  /** A rate as written: how many a second, and of what. */
  public record CountedRate(long perSecond, Counted counted) {
    public TokenUnit unit() {
      return counted == Counted.BYTES ? TokenUnit.BYTES : TokenUnit.OPERATIONS;
    }
  }

  /** Reads {@code 100 ms}. */
  public static long parseDurationNanos(String text) {
    Matcher matcher = match(text, DURATION_EXPECTED);
    Long factor = NANOS.get(matcher.group(2));
    if (factor == null) {
      throw new IllegalArgumentException(DURATION_EXPECTED);
    }
    return whole(matcher.group(1), factor, DURATION_EXPECTED);
  }

  /** Reads {@code 64 KiB}; a number alone is bytes. */
  public static long parseBytes(String text) {
    Matcher matcher = match(text, BYTES_EXPECTED);
    Long factor = matcher.group(2).isEmpty() ? Long.valueOf(1) : BYTES.get(matcher.group(2));
    if (factor == null) {
      throw new IllegalArgumentException(BYTES_EXPECTED);
    }
    return whole(matcher.group(1), factor, BYTES_EXPECTED);
  }

  /** Reads {@code 200 MB/s}, {@code 20 kops/s}, {@code 1000 tokens/s}; a number alone is tokens. */
  public static CountedRate parseRate(String text) {
    return parseRate(text, 1);
  }

  /** Reads a rate that may be {@code 0.5 ops/s}: so many millionths in a second. */
  public static CountedRate parseRateInMillionths(String text) {
    return parseRate(text, MILLION);
  }

  private static CountedRate parseRate(String text, long parts) {
    Matcher matcher = match(text, RATE_EXPECTED);
    String number = matcher.group(1);
    String unit = matcher.group(2);
    if (unit.isEmpty()) {
      return new CountedRate(whole(number, 1, parts, RATE_EXPECTED), Counted.TOKENS);
    }
    if (!unit.endsWith("/s")) {
      throw new IllegalArgumentException(RATE_EXPECTED);
    }
    String counted = unit.substring(0, unit.length() - 2);
    Long byteFactor = BYTES.get(counted);
    if (byteFactor != null) {
      return new CountedRate(whole(number, byteFactor, parts, RATE_EXPECTED), Counted.BYTES);
    }
    for (Counted kind : new Counted[] {Counted.OPERATIONS, Counted.TOKENS}) {
      String word = kind == Counted.OPERATIONS ? "ops" : "tokens";
      if (counted.endsWith(word)) {
        Long factor = COUNT_PREFIXES.get(counted.substring(0, counted.length() - word.length()));
        if (factor != null) {
          return new CountedRate(whole(number, factor, parts, RATE_EXPECTED), kind);
        }
      }
    }
    throw new IllegalArgumentException(RATE_EXPECTED);
  }

  /** The duration in the largest unit that leaves a number of at least one. */
  public static String formatDuration(long nanos) {
    String[] units = {"d", "h", "min", "s", "ms", "us"};
    for (String unit : units) {
      long factor = NANOS.getOrDefault(unit, 1L);
      if (nanos >= factor) {
        return shortNumber((double) nanos / factor) + " " + unit;
      }
    }
    return nanos + " ns";
  }

  /** Decimal multiples of a byte, three digits. */
  public static String formatBytes(double bytes) {
    return formatDecimal(bytes, "B", "kB", "MB", "GB", "TB", "PB");
  }

  /** A rate with its unit, three digits. */
  public static String formatRate(double perSecond, Counted counted) {
    return switch (counted) {
      case BYTES -> formatBytes(perSecond) + "/s";
      case OPERATIONS -> formatDecimal(perSecond, "ops/s", "kops/s", "Mops/s", "Gops/s");
      case TOKENS -> formatDecimal(perSecond, "tokens/s", "ktokens/s", "Mtokens/s", "Gtokens/s");
    };
  }

  /** A number of things that may have parts: whole ones as they are, others to three digits. */
  public static String formatCount(double count) {
    return count == Math.rint(count) && Math.abs(count) < 1e15
        ? String.valueOf((long) count)
        : shortNumber(count);
  }

  private static String formatDecimal(double value, String... units) {
    int i = 0;
    while (i < units.length - 1 && Math.abs(value) >= 999.5) {
      value /= 1_000;
      i++;
    }
    return shortNumber(value) + " " + units[i];
  }

  /** Three digits, or two of what is less than a tenth. */
  private static String shortNumber(double value) {
    double size = Math.abs(value);
    int digits = size >= 99.95 || value == Math.rint(value) ? 0 : size >= 9.995 ? 1 : 2;
    if (size < 0.0995 && size > 0) {
      digits = (int) Math.min(DIGITS_MAX, 1 - Math.floor(Math.log10(size)));
    }
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static Matcher match(String text, String expected) {
    Matcher matcher = NUMBER_AND_UNIT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(expected);
    }
    return matcher;
  }

  private static long whole(String number, long factor, String expected) {
    return whole(number, factor, 1, expected);
  }

  private static long whole(String number, long factor, long parts, String expected) {
    BigDecimal value =
        new BigDecimal(number)
            .multiply(BigDecimal.valueOf(factor))
            .multiply(BigDecimal.valueOf(parts));
    try {
      return value.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          expected + ", a whole number of the smallest unit and less than 2^63", e);
    }
  }

  private static Map<String, Long> byteUnits() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("B", 1L);
    long decimal = 1;
    long binary = 1;
    for (String prefix : new String[] {"k", "M", "G", "T", "P"}) {
      decimal *= 1_000;
      binary *= 1_024;
      units.put(prefix + "B", decimal);
      units.put((prefix.equals("k") ? "K" : prefix) + "iB", binary);
    }
    units.put("KB", 1_000L);
    return Map.copyOf(units);
  }
}
