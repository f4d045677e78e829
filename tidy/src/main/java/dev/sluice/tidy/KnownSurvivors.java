package dev.sluice.tidy;

import dev.sluice.tidy.Mutant.Change;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mutants that are known to survive, from the page that says of each of them why. A heading of
 * the third level names a class. Below it each item of a list is a mutant: its method, what is
 * changed, the line of the source, and the reason.
 */
final class KnownSurvivors {
  private static final Pattern TYPE = Pattern.compile("### `([^`]+)`");
  private static final Pattern MUTANT =
      Pattern.compile("- `([^`]+)`: (.+?)(?: \\((\\d+) times\\))?");
  private static final Pattern SOURCE = Pattern.compile("  `(.+)`");

  private KnownSurvivors() {}

  /** How many survivors there are of each kind; throws with the line where the page is not so. */
  static Map<Change, Integer> parse(List<String> lines) {
    Map<Change, Integer> known = new LinkedHashMap<>();
    String type = "";
    for (int i = 0; i < lines.size(); i++) {
      Matcher heading = TYPE.matcher(lines.get(i));
      Matcher mutant = MUTANT.matcher(lines.get(i));
      if (heading.matches()) {
        type = heading.group(1);
      } else if (lines.get(i).startsWith("## ")) {
        type = "";
      } else if (!type.isEmpty() && lines.get(i).startsWith("- ")) {
        Matcher source = SOURCE.matcher(i + 1 < lines.size() ? lines.get(i + 1) : "");
        boolean reason = i + 2 < lines.size() && lines.get(i + 2).startsWith("  ");
        if (!mutant.matches() || !source.matches() || !reason) {
          throw new IllegalArgumentException(
              "line "
                  + (i + 1)
                  + ": \""
                  + lines.get(i)
                  + "\": expected \"- `method`: what is changed\", and in the lines below it the"
                  + " source between ` and why nothing can tell, each after two blanks");
        }
        Change change = new Change(type, mutant.group(1), mutant.group(2), source.group(1));
        int times = mutant.group(3) == null ? 1 : Integer.parseInt(mutant.group(3));
        if (known.put(change, times) != null) {
          throw new IllegalArgumentException("line " + (i + 1) + ": the same is said before");
        }
      }
    }
    return known;
  }

  /** Survivors of which the page knows nothing. */
  static List<Mutant> newOnes(List<Mutant> survivors, Map<Change, Integer> known) {
    Map<Change, Integer> left = new LinkedHashMap<>(known);
    List<Mutant> unknown = new ArrayList<>();
    for (Mutant survivor : survivors) {
      if (left.merge(survivor.what(), -1, Integer::sum) < 0) {
        unknown.add(survivor);
      }
    }
    return unknown;
  }

  /** Those of the page that survive no more, or not so many times. */
  static List<Change> goneOnes(List<Mutant> survivors, Map<Change, Integer> known) {
    Map<Change, Integer> left = new LinkedHashMap<>(known);
    survivors.forEach(survivor -> left.merge(survivor.what(), -1, Integer::sum));
    List<Change> gone = new ArrayList<>();
    left.forEach((change, times) -> {
      if (times > 0) {
        gone.add(change);
      }
    });
    return gone;
  }
}
