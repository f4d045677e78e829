package dev.sluice.core.text;

import java.util.List;
import java.util.Locale;

/** The word that was probably meant, for the end of a message. */
public final class Suggestion {
  /** A word with more slips than this is another word. */
  private static final int DISTANCE_MAX = 2;

  /** Longer than every word there is; a bound on the work for a wrong one. */
  private static final int LENGTH_MAX = 32;

  private Suggestion() {}

  /** {@code "; did you mean export?"}, or nothing when no word is near. */
  public static String of(String wrong, List<String> words) {
    String lower = wrong.toLowerCase(Locale.ROOT);
    String nearest = "";
    int nearestDistance = DISTANCE_MAX + 1;
    if (lower.length() < 2 || lower.length() > LENGTH_MAX) {
      return "";
    }
    for (String word : words) {
      // The beginning of a word is the word, shortened: op, meta, dir.
      int distance = word.startsWith(lower) ? 1 : distance(lower, word);
      if (distance < nearestDistance && distance < lower.length()) {
        nearest = word;
        nearestDistance = distance;
      }
    }
    return nearest.isEmpty() ? "" : "; did you mean " + nearest + "?";
  }

  /** How many letters must be put in, taken out or changed to make one word of the other. */
  private static int distance(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(changed, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
