package dev.sluice.core.classify;

import java.util.List;

/**
 * A pattern in which each {@code *} stands for any run of characters, the empty one too.
 *
 * @param prefix what stands before the first {@code *}
 * @param middles what stands between two of them; none is empty
 * @param suffix what stands after the last {@code *}
 */
public record Wildcard(String prefix, List<String> middles, String suffix) {
  public Wildcard {
    middles = List.copyOf(middles);
  }

  /** Reads a pattern with at least one {@code *}; several in a row are as one. */
  public static Wildcard parse(String pattern) {
    List<String> pieces = List.of(pattern.split("\\*+", -1));
    int last = pieces.size() - 1;
    if (last < 1) {
      throw new IllegalArgumentException("a wildcard pattern has at least one *: " + pattern);
    }
    return new Wildcard(pieces.getFirst(), pieces.subList(1, last), pieces.get(last));
  }

  /**
   * Theorem: true exactly when replacing each {@code *} by some run of characters gives the text.
   *
   * <p>The pieces between the ends may each be taken where they first fit: what comes after has
   * then the most room, so a later place could not help it. Nothing is ever tried twice, and the
   * cost is at most the length of the text times that of the longest piece, however many stars
   * there are.
   */
  public boolean matches(String text) {
    int end = text.length() - suffix.length();
    int from = prefix.length();
    if (from > end || !text.startsWith(prefix) || !text.endsWith(suffix)) {
      return false;
    }
    for (int i = 0; i < middles.size(); i++) {
      String middle = middles.get(i);
      int found = text.indexOf(middle, from, end);
      if (found < 0) {
        return false;
      }
      from = found + middle.length();
    }
    return true;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(prefix).append('*');
    middles.forEach(middle -> text.append(middle).append('*'));
    return text.append(suffix).toString();
  }
}
