package dev.sluice.jobs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Slurm's short way to write many host names: {@code n[00-03,7],login1,rack[1-2]n[0-9]}. Digits in
 * brackets count up and keep their width; several brackets in one name are all combinations.
 */
public final class Hostlist {
  /** Longer than any host name may be. */
  private static final int NAME_LENGTH_MAX = 255;

  /** Numbers with more digits count nothing that exists. */
  private static final int DIGITS_MAX = 18;

  /** As much of one as fits into a message. */
  private static final int SHOWN_MAX = 80;

  private Hostlist() {}

  /**
   * The names that an expression stands for, in its order and each once.
   *
   * @throws IllegalArgumentException when it is no such expression, or stands for more than {@code
   *     namesMax} names; how much work that takes does not depend on what is written
   */
  public static List<String> expand(String expression, int namesMax) {
    Set<String> names = new LinkedHashSet<>();
    int start = 0;
    while (start <= expression.length()) {
      int end = endOfItem(expression, start);
      if (end > start) {
        for (String name : item(expression, start, end, namesMax)) {
          names.add(name);
          if (names.size() > namesMax) {
            throw bad(expression, "expected at most " + namesMax + " names");
          }
        }
      } else if (!expression.isEmpty()) {
        throw bad(expression, "expected a name at position " + (start + 1));
      }
      start = end + 1;
    }
    return List.copyOf(names);
  }

  /** Where the comma after an item is: one that is in no brackets. */
  private static int endOfItem(String expression, int start) {
    boolean inBrackets = false;
    for (int i = start; i < expression.length(); i++) {
      char next = expression.charAt(i);
      if (next == '[' || next == ']') {
        if (inBrackets == (next == '[')) {
          throw bad(expression, "a bracket without its other one at position " + (i + 1));
        }
        inBrackets = !inBrackets;
      } else if (next == ',' && !inBrackets) {
        return i;
      } else if (next <= ' ' || next == 0x7f) {
        throw bad(expression, "expected no blank or control character at position " + (i + 1));
      }
    }
    if (inBrackets) {
      throw bad(expression, "a bracket without its other one at the end");
    }
    return expression.length();
  }

  /** The names of one item, by adding one piece after the other to all that are there. */
  private static List<String> item(String expression, int start, int end, int namesMax) {
    List<String> names = List.of("");
    int at = start;
    while (at < end) {
      List<String> pieces;
      if (expression.charAt(at) == '[') {
        int close = expression.indexOf(']', at);
        pieces = numbers(expression, at + 1, close, namesMax);
        at = close + 1;
      } else {
        int open = expression.indexOf('[', at);
        int stop = open < 0 || open > end ? end : open;
        pieces = List.of(expression.substring(at, stop));
        at = stop;
      }
      if ((long) names.size() * pieces.size() > namesMax) {
        throw bad(expression, "expected at most " + namesMax + " names");
      }
      List<String> longer = new ArrayList<>(names.size() * pieces.size());
      for (String name : names) {
        for (String piece : pieces) {
          if (name.length() + piece.length() > NAME_LENGTH_MAX) {
            throw bad(expression, "expected names of at most " + NAME_LENGTH_MAX + " characters");
          }
          longer.add(name + piece);
        }
      }
      names = longer;
    }
    return names;
  }

  /** What is between brackets: {@code 00-03,7}. */
  private static List<String> numbers(String expression, int start, int end, int namesMax) {
    List<String> numbers = new ArrayList<>();
    for (String range : expression.substring(start, end).split(",", -1)) {
      int dash = range.indexOf('-');
      String low = dash < 0 ? range : range.substring(0, dash);
      String high = dash < 0 ? range : range.substring(dash + 1);
      if (!isNumber(low) || !isNumber(high)) {
        throw bad(expression, "\"" + shown(range) + "\": expected a number, or two with a dash");
      }
      long first = Long.parseLong(low);
      long last = Long.parseLong(high);
      if (last < first) {
        throw bad(expression, "\"" + range + "\": expected the smaller number first");
      }
      if (last - first >= namesMax - numbers.size()) {
        throw bad(expression, "expected at most " + namesMax + " names");
      }
      for (long number = first; number <= last; number++) {
        numbers.add(padded(number, low.length()));
      }
    }
    return numbers;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= DIGITS_MAX
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static String padded(long number, int width) {
    String digits = Long.toString(number);
    return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
  }

  /**
   * An expression for these names, by the numbers at their ends. Theorem: expanded, it gives the
   * same names, though not in the same order.
   */
  static String compress(Collection<String> names) {
    Map<Family, SortedSet<Long>> families = new LinkedHashMap<>();
    List<String> items = new ArrayList<>();
    for (String name : names) {
      int digits = name.length();
      while (digits > 0
          && name.length() - digits < DIGITS_MAX
          && name.charAt(digits - 1) >= '0'
          && name.charAt(digits - 1) <= '9') {
        digits--;
      }
      if (digits == name.length()) {
        items.add(name);
      } else {
        String number = name.substring(digits);
        // Numbers without a leading zero belong together however many digits they have.
        int width = number.charAt(0) == '0' ? number.length() : 1;
        families
            .computeIfAbsent(new Family(name.substring(0, digits), width), _ -> new TreeSet<>())
            .add(Long.parseLong(number));
      }
    }
    families.forEach((family, numbers) -> items.add(family.prefix + ranges(family, numbers)));
    return String.join(",", new LinkedHashSet<>(items));
  }

  /** Names that differ in their last number alone; {@code width} is its least length. */
  private record Family(String prefix, int width) {}

  private static String ranges(Family family, SortedSet<Long> numbers) {
    StringBuilder text = new StringBuilder();
    long first = -1;
    long last = -1;
    for (long number : numbers) {
      if (first >= 0 && number == last + 1) {
        last = number;
        continue;
      }
      append(text, family, first, last);
      first = number;
      last = number;
    }
    append(text, family, first, last);
    return numbers.size() == 1 ? text.toString() : "[" + text + "]";
  }

  private static void append(StringBuilder text, Family family, long first, long last) {
    if (first < 0) {
      return;
    }
    text.append(text.isEmpty() ? "" : ",").append(padded(first, family.width));
    if (last > first) {
      text.append('-').append(padded(last, family.width));
    }
  }

  private static IllegalArgumentException bad(String expression, String problem) {
    return new IllegalArgumentException("host list \"" + shown(expression) + "\": " + problem);
  }

  private static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.chars()
        .limit(SHOWN_MAX)
        .forEach(next -> shown.append(Character.isISOControl(next) ? '?' : (char) next));
    return shown + (text.length() > SHOWN_MAX ? "…" : "");
  }
}
