package dev.sluice.document;

import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key {@code shares}, which is the same in every kind of document:
 *
 * <pre>
 * shares:
 *   by: [account, user, job]
 *   weights: {account: {physics: 3}, user: {alice: 2}}
 * </pre>
 */
public final class ShareGroupingReader {
  public static final String BY = "by";
  public static final String WEIGHTS = "weights";

  private static final int NAMES_MAX = 100_000;
  private static final int NAME_LENGTH_MAX = 255;
  private static final String A_NAME = "expected a name of 1 to " + NAME_LENGTH_MAX + " characters";
  private static final String AN_EXAMPLE = "such as [account, user, job]";

  private ShareGroupingReader() {}

  /** What is written; all jobs side by side where nothing is. */
  public static ShareGrouping read(@Nullable DocumentNode node) {
    return node == null ? ShareGrouping.FLAT : readFrom(node.map(BY, WEIGHTS));
  }

  /** The same from a mapping that has other keys besides. */
  public static ShareGrouping readFrom(DocumentMap map) {
    List<Level> levels = levels(map.required(BY));
    DocumentNode weights = map.optional(WEIGHTS);
    return new ShareGrouping(levels, weights == null ? Map.of() : weights(weights, levels));
  }

  private static List<Level> levels(DocumentNode node) {
    List<String> words = new ArrayList<>();
    for (Level level : Level.values()) {
      words.add(level.text());
    }
    words.add(ShareGrouping.JOB);
    List<DocumentNode> items = node.list();
    List<Level> levels = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      DocumentNode item = items.get(i);
      String word = item.oneOf(words);
      if (word.equals(ShareGrouping.JOB)) {
        if (i < items.size() - 1) {
          throw item.error("expected as the last of all, " + AN_EXAMPLE);
        }
        return levels;
      }
      Level level = Level.valueOf(word.toUpperCase(Locale.ROOT));
      if (levels.contains(level)) {
        throw item.error("expected once, and it is there already");
      }
      levels.add(level);
    }
    throw node.error("expected \"job\" at its end, " + AN_EXAMPLE);
  }

  private static Map<Level, Map<String, Long>> weights(DocumentNode node, List<Level> levels) {
    Map<Level, Map<String, Long>> weights = new EnumMap<>(Level.class);
    DocumentMap map = node.openMap();
    for (Map.Entry<String, DocumentNode> entry : map.entries().entrySet()) {
      String word = entry.getKey();
      Level level =
          Arrays.stream(Level.values())
              .filter(one -> one.text().equals(word))
              .filter(levels::contains)
              .findFirst()
              .orElseThrow(() -> map.keyError(word, expectedLevel(word, levels)));
      weights.put(level, ofNames(entry.getValue()));
    }
    return weights;
  }

  private static String expectedLevel(String word, List<Level> levels) {
    List<String> words = levels.stream().map(Level::text).toList();
    if (word.equals(ShareGrouping.JOB)) {
      return "expected no weights of jobs here: a job weighs as much as it has nodes, or what is"
          + " said of it where jobs are";
    }
    return words.isEmpty()
        ? "expected no weights where \"by\" has jobs alone"
        : "expected one of "
            + String.join(", ", words)
            + ", as \"by\" has them"
            + Suggestion.of(word, words);
  }

  private static Map<String, Long> ofNames(DocumentNode node) {
    DocumentMap map = node.openMap();
    if (map.entries().size() > NAMES_MAX) {
      throw node.error("expected at most " + NAMES_MAX + " names");
    }
    Map<String, Long> weights = new LinkedHashMap<>();
    map.entries()
        .forEach((name, weight) -> {
          checkName(map, name);
          weights.put(name, weight.whole(1, ShareTree.WEIGHT_MAX));
        });
    return weights;
  }

  private static void checkName(DocumentMap map, String name) {
    if (!isName(name)) {
      throw map.keyError(name, A_NAME);
    }
  }

  private static boolean isName(String text) {
    return !text.isBlank()
        && text.length() <= NAME_LENGTH_MAX
        && text.chars().noneMatch(Character::isISOControl);
  }

  /**
   * The name of an account, a user or a group.
   *
   * @param unsaid what it is where nothing is written
   */
  public static String name(@Nullable DocumentNode node, String unsaid) {
    if (node == null) {
      return unsaid;
    }
    if (!isName(node.text())) {
      throw node.error(A_NAME);
    }
    return node.text();
  }
}
