package dev.sluice.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LustreJobIdTest {
  @Test
  void bytesAreShownAsTheLettersThatTheyAre() {
    assertThat(new LustreJobId("\u00c3\u00bcmlaut")).hasToString("\u00fcmlaut");
    assertThat(new LustreJobId("\u00fcmlaut")).hasToString("\\xFCmlaut");
    assertThat(new LustreJobId("a\tb\\")).hasToString("a\\x09b\\x5C");
    // A control character that only UTF-8 has must not look like a byte of the same number.
    assertThat(new LustreJobId("\u00c2\u0085")).hasToString("\\xC2\\x85");
  }

  @Test
  void noTwoLookTheSame() {
    String bytes = "ax\\\u0085\u00c2\u00c3\u00a9\u00e98";
    Map<String, String> shown = new HashMap<>();
    SeededCases.forAll(
        5_000,
        random -> {
          StringBuilder id = new StringBuilder();
          for (int i = random.nextInt(1, 6); i > 0; i--) {
            id.append(bytes.charAt(random.nextInt(bytes.length())));
          }
          String before = shown.put(new LustreJobId(id.toString()).toString(), id.toString());
          assertThat(before == null || before.contentEquals(id)).isTrue();
        });
  }
}
