package dev.sluice.core.text;

import java.util.Collection;
import java.util.Locale;

/** Finds what somebody probably meant. */
public final class Suggestion {
  private Suggestion() {}

  /** {@code " (did you mean export?)"} for the known word closest to what was written, or nothing. */
  public static String among(Collection<String> known, String written) {
    String best = "";
    int bestDistance = Integer.MAX_VALUE;
    for (String word : known) {
      int distance = distance(word.toLowerCase(Locale.ROOT), written.toLowerCase(Locale.ROOT));
      if (distance < bestDistance) {
        best = word;
        bestDistance = distance;
      }
    }
    int tolerated = Math.max(1, Math.min(best.length(), written.length()) / 3);
    return bestDistance <= tolerated ? " (did you mean " + best + "?)" : "";
  }

  /** Edits between two words: insertions, deletions, replacements and swaps of neighbours. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replaced = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(replaced, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, edits[i - 2][j - 2] + 1);
        }
        edits[i][j] = best;
      }
    }
    return edits[a.length()][b.length()];
  }
}
