package dev.sluice.core.classify;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.OperationClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Random flows and conditions, from words so few that they often meet. */
final class RandomMatches {
  /** Everything that has a meaning of its own in a rule is in one of them. */
  private static final List<String> WORDS =
      List.of(
          "a",
          "ab",
          "b",
          "a b",
          "a,b",
          "*",
          "a*",
          "#",
          "->",
          "a->b",
          "=",
          "user=a",
          "\"",
          "\\",
          "a\\\"b",
          "-",
          "!",
          "{job}",
          ":",
          "ä",
          "\ud83d\ude80",
          "\u00a0",
          "a#");

  /** Those that need no quotes. */
  private static final Set<String> PLAIN_WORDS =
      Set.of("a", "ab", "b", "\\", "-", "!", "{job}", ":", "ä", "\ud83d\ude80", "\u00a0");

  private static final List<String> ADDRESSES =
      List.of("10.0.0.1", "10.0.0.2", "10.0.1.1", "10.1.0.1", "fd00::1", "fd00:0:0:1::1", "::1");

  private static final List<String> NETWORKS =
      List.of(
          "10.0.0.1",
          "10.0.0.0/24",
          "10.0.0.0/16",
          "10.0.0.0/8",
          "0.0.0.0/0",
          "fd00::/48",
          "fd00::1",
          "::1",
          "::/0");

  private final RandomGenerator random;

  RandomMatches(RandomGenerator random) {
    this.random = random;
  }

  Flow flow() {
    return new Flow(
        JobId.of(oneOf(WORDS)),
        wordOrNone(),
        wordOrNone(),
        ClientAddress.parse(oneOf(ADDRESSES)),
        wordOrNone(),
        wordOrNone());
  }

  Operation operation() {
    return oneOf(List.of(Operation.values()));
  }

  /** Values as written in a rule: quoted at will where they may be, and where they must be. */
  String conditions(int conditionsMax) {
    List<Key> keys = new ArrayList<>(List.of(Key.values()));
    for (int i = keys.size(); i > 1; i--) {
      Collections.swap(keys, i - 1, random.nextInt(i));
    }
    StringBuilder text = new StringBuilder();
    for (Key key : keys.subList(0, random.nextInt(conditionsMax + 1))) {
      text.append(random.nextBoolean() ? " " : "\t ").append(condition(key));
    }
    return text.toString();
  }

  String condition(Key key) {
    List<String> values = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      values.add(value(key));
    }
    return key.text() + (random.nextInt(4) == 0 ? "!=" : "=") + String.join(",", values);
  }

  private String value(Key key) {
    return switch (key) {
      case CLIENT -> oneOf(NETWORKS);
      case OPERATION -> operation().text();
      case CLASS -> oneOf(List.of(OperationClass.values())).text();
      case JOB -> random.nextInt(5) == 0 ? oneOf(List.of("a*", "*b", "*-*")) : quoted(oneOf(WORDS));
      default -> random.nextInt(3) == 0 ? oneOf(List.of("a*", "*b*", "*")) : quoted(wordOrNone());
    };
  }

  private String quoted(String word) {
    return PLAIN_WORDS.contains(word) && random.nextBoolean()
        ? word
        : '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private String wordOrNone() {
    return random.nextInt(8) == 0 ? "" : oneOf(WORDS);
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
