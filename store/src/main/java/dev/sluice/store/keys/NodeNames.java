package dev.sluice.store.keys;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of nodes, as people write many of them: {@code n[001-040],login1}.
 *
 * @param text as it was written
 * @param names each of them
 */
public record NodeNames(String text, Set<String> names) {
  /** A mistyped range must not fill the memory. */
  private static final int NAMES_MAX = 100_000;

  private static final String NUMBERS = "\\d{1,9}(?:-\\d{1,9})?";

  private static final Pattern PART =
      Pattern.compile(
          "([A-Za-z0-9.-]*)(?:\\[(" + NUMBERS + "(?:," + NUMBERS + ")*)\\]([A-Za-z0-9.-]*))?");

  public NodeNames {
    names = Set.copyOf(names);
  }

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException if they are not written so, with what was expected
   */
  public static NodeNames parse(String text) {
    Set<String> names = new LinkedHashSet<>();
    for (String part : parts(text)) {
      Matcher matcher = PART.matcher(part);
      if (part.isEmpty() || !matcher.matches()) {
        throw new IllegalArgumentException(
            "\"" + part + "\": expected names of nodes such as n001,n[002-040]");
      }
      if (matcher.group(2) == null) {
        add(part, names);
      } else {
        for (String range : matcher.group(2).split(",", -1)) {
          addRange(matcher.group(1), range, matcher.group(3), names);
        }
      }
    }
    return new NodeNames(text, names);
  }

  /** Between commas, but for those in brackets. */
  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    boolean bracket = false;
    for (int at = 0; at < text.length(); at++) {
      char character = text.charAt(at);
      bracket = character == '[' || (bracket && character != ']');
      if (character == ',' && !bracket) {
        parts.add(text.substring(from, at).strip());
        from = at + 1;
      }
    }
    parts.add(text.substring(from).strip());
    return parts;
  }

  private static void addRange(String before, String range, String after, Set<String> names) {
    String[] ends = range.split("-", -1);
    int first = Integer.parseInt(ends[0]);
    int last = Integer.parseInt(ends[ends.length - 1]);
    if (first > last) {
      throw new IllegalArgumentException("[" + range + "]: expected the smaller number first");
    }
    for (int number = first; number <= last; number++) {
      String digits = Integer.toString(number);
      add(
          before + "0".repeat(Math.max(0, ends[0].length() - digits.length())) + digits + after,
          names);
    }
  }

  private static void add(String name, Set<String> names) {
    names.add(AccessList.checkedName(name));
    if (names.size() > NAMES_MAX) {
      throw new IllegalArgumentException("expected at most " + NAMES_MAX + " nodes");
    }
  }
}
