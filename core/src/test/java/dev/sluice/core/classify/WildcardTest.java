package dev.sluice.core.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sluice.testkit.SeededCases;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class WildcardTest {
  @Test
  void agreesWithTryingEveryRunForEveryStar() {
    int[] matched = {0};
    SeededCases.forAll(
        50_000,
        random -> {
          String pattern = letters(random, 4) + "*" + letters(random, 5);
          String text = letters(random, 9).replace("*", "");

          boolean expected = everyRunTried(pattern, 0, text, 0);

          assertThat(Wildcard.parse(pattern).matches(text))
              .as("%s on %s", pattern, text)
              .isEqualTo(expected);
          matched[0] += expected ? 1 : 0;
        });
    assertThat(matched[0]).as("cases that match").isBetween(5_000, 45_000);
  }

  @Test
  void aTextMadeFromThePatternMatches() {
    SeededCases.forAll(
        10_000,
        random -> {
          String pattern = letters(random, 8) + "*" + letters(random, 8);
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            text.append(c == '*' ? letters(random, 4) : String.valueOf(c));
          }
          assertThat(Wildcard.parse(pattern).matches(text.toString()))
              .as("%s on %s", pattern, text)
              .isTrue();
        });
  }

  @Test
  void theTextOfAPatternIsThePatternWithRunsOfStarsAsOne() {
    SeededCases.forAll(
        1_000,
        random -> {
          String pattern = letters(random, 6) + "*" + letters(random, 6);
          assertThat(Wildcard.parse(pattern)).hasToString(pattern.replaceAll("\\*+", "*"));
        });
  }

  @Test
  void thePrefixAndTheSuffixMustNotShareCharacters() {
    assertThat(Wildcard.parse("aba*aba").matches("ababa")).isFalse();
    assertThat(Wildcard.parse("aba*aba").matches("abaaba")).isTrue();
  }

  @Test
  void manyStarsOnALongTextThatAlmostMatchesTakeNoTime() {
    Wildcard pattern = Wildcard.parse("*a".repeat(1_000) + "*b*c");
    String text = "a".repeat(100_000) + "c";
    // Trying places again for each star would outlast the universe; the bound is far from what it
    // takes.
    assertThat(assertTimeoutPreemptively(Duration.ofSeconds(20), () -> pattern.matches(text)))
        .isFalse();
  }

  @Test
  void aPatternHasAStar() {
    assertThatThrownBy(() -> Wildcard.parse("alice")).hasMessageContaining("alice");
  }

  private static boolean everyRunTried(String pattern, int p, String text, int t) {
    if (p == pattern.length()) {
      return t == text.length();
    }
    if (pattern.charAt(p) == '*') {
      for (int end = t; end <= text.length(); end++) {
        if (everyRunTried(pattern, p + 1, text, end)) {
          return true;
        }
      }
      return false;
    }
    return t < text.length()
        && text.charAt(t) == pattern.charAt(p)
        && everyRunTried(pattern, p + 1, text, t + 1);
  }

  private static String letters(RandomGenerator random, int lengthMax) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(lengthMax + 1); i > 0; i--) {
      text.append("aab*".charAt(random.nextInt(4)));
    }
    return text.toString();
  }
}
