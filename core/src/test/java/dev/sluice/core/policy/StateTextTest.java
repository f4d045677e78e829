package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateTextTest {
  private static final String HEAD =
      "sluice policy state\npolicy \"abacus\" 3 77\ntarget \"t\" 9 1 0\n";
  private static final Cluster CLUSTER = Cluster.of(new Target("t", 9, TokenUnit.OPERATIONS));

  /** Remembers a number and a name. */
  private record Beads(long count, double weight, String name) {}

  private record Abacus(String name) implements StateCodec<Beads> {
    @Override
    public int version() {
      return 3;
    }

    @Override
    public void write(Beads state, StateWriter out) {
      out.line("beads").whole(state.count()).real(state.weight()).text(state.name());
    }

    @Override
    public Beads read(StateReader in, Cluster cluster) {
      in.line("beads");
      return new Beads(in.whole(0, 99), in.real(0, 10), in.text(6));
    }
  }

  private static final Abacus ABACUS = new Abacus("abacus");

  private static void refused(String lines, String message) {
    assertThatThrownBy(() -> StateText.read(ABACUS, StateTexts.signed(lines)))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aStateIsAFewLinesThatOneCanRead() {
    String text = StateText.write(ABACUS, new Beads(5, 0.1, "a\u20acb"), CLUSTER, 77);
    assertThat(text).startsWith(HEAD + "beads 5 0.1 \"a\\u20acb\"\nend ").hasLineCount(5);
    assertThat(StateText.read(ABACUS, text))
        .isEqualTo(new StateText.Written<>(new Beads(5, 0.1, "a\u20acb"), CLUSTER, 77));
  }

  @Test
  void theChecksumIsTheOneThatOthersHave() {
    assertThat(StateTexts.crc64("123456789")).isEqualTo(0x995dc9bbdf1939faL);
    String lines = HEAD + "beads 5 0.1 \"x\"";
    assertThat(StateText.read(ABACUS, StateTexts.signed(lines)).state().count()).isEqualTo(5);
  }

  @Test
  void whatIsWrongIsSaidWithItsPlace() {
    refused("another file", "line 1: expected \"sluice policy state\"");
    refused(
        HEAD.replace("abacus", "gift") + "beads 1 1.0 \"\"",
        "line 2: expected the state of abacus, found that of gift");
    refused(
        HEAD.replace(" 3 ", " 4 ") + "beads 1 1.0 \"\"",
        "line 2: expected version 3 of the state of abacus, found version 4");
    refused(
        HEAD + "pearls 1", "line 4: expected a line that begins with beads, found \"pearls 1\"");
    refused(
        HEAD + "beads 100 1.0 \"\"",
        "line 4: expected a whole number from 0 to 99, found \"100 1.0 \"\"\"");
    refused(HEAD + "beads 007 1.0 \"\"", "expected a whole number from 0 to 99");
    refused(HEAD + "beads 7 1 \"\"", "line 4: expected a number from 0.0 to 10.0");
    refused(HEAD + "beads 7 NaN \"\"", "line 4: expected a number from 0.0 to 10.0");
    refused(HEAD + "beads 7 1.0 x", "line 4: expected a blank and a text in quotes");
    refused(HEAD + "beads 7 1.0 \"1234567\"", "line 4: expected at most 6 characters");
    refused(HEAD + "beads 7 1.0 \"\\u0041\"", "of a character that is not plain");
    refused(HEAD + "beads 7 1.0 \"1\" 5", "line 4: expected the end of the line, found \"5\"");
    refused(HEAD + "beads 7 1.0 \"1\"\nmore", "line 5: expected the end, found \"more\"");
    refused(HEAD + "beads", "line 4: expected a blank and a number, found nothing");
    refused(HEAD.strip(), "line 4: expected a line that begins with beads, found nothing");
    refused(
        "sluice policy state", "line 2: expected a line that begins with policy, found nothing");
    refused(
        HEAD.replace("9 1 0", "9 x 0") + "beads 1 1.0 \"\"",
        "line 3: expected a whole number from 0 to " + TokenUnit.PRICE_MAX + ", found \"x 0\"");
    refused(
        HEAD.replace("9 1 0", "9 1 0 7") + "beads 1 1.0 \"\"",
        "line 3: expected the end of the line, found \"7\"");
    refused(
        HEAD + "beads 7 1.0 \"open", "line 4: expected the end of the quotes, found \"\"open\"");
    refused(HEAD + "beads 7 1.0 \"\\u20ac", "line 4: expected the end of the quotes, found");
    refused(HEAD + "beads 7 1.0 \"\\u20", "line 4: expected \\u and four digits");
    refused(
        HEAD + "target \"t\" 9 1 0\nbeads 7 1.0 \"\"",
        "line 4, or those before it: two targets are called t");
  }

  @Test
  void whatIsFoundIsShownUpToItsFortiethLetterAndNoneThatATerminalMinds() {
    String expected = "expected a line that begins with beads, found ";
    refused(HEAD + "p ~\u007f\u001bq", expected + "\"p ~??q\"");
    refused(HEAD + "p".repeat(40), expected + "\"" + "p".repeat(40) + "\"");
    refused(HEAD + "p".repeat(41), expected + "\"" + "p".repeat(40) + "…\"");
  }

  @Test
  void aLineIsAboutItsFirstWordAndTheLastLineIsNoneOfThem() {
    String text = "title\nword\nwords 1\nword";
    assertThat(new StateReader(text, 5, text.length(), 1).nextIs("word")).isTrue();
    assertThat(new StateReader(text, 5, text.length(), 1).nextIs("wor")).isFalse();
    assertThat(new StateReader(text, 10, text.length(), 2).nextIs("word")).isFalse();
    assertThat(new StateReader(text, 10, text.length(), 2).nextIs("words")).isTrue();
    assertThat(new StateReader(text, 18, text.length(), 3).nextIs("word")).isTrue();
    assertThat(new StateReader(text, 8, text.length(), 2).nextIs("rd")).isFalse();
    assertThat(new StateReader("title\nend 0", 5, 5, 1).nextIs("end")).isFalse();
  }

  @Test
  void numbersAndLettersAtTheirLimitsAreRead() {
    for (Beads beads : List.of(new Beads(0, 0, " ~"), new Beads(99, 10, "\u001f\u007f"))) {
      String text = StateText.write(ABACUS, beads, CLUSTER, 77);
      assertThat(StateText.read(ABACUS, text).state()).isEqualTo(beads);
    }
    assertThat(StateText.write(ABACUS, new Beads(0, 0, " ~\u007f"), CLUSTER, 77))
        .contains("\" ~\\u007f\"");
  }

  @Test
  void thereIsABoundOnTargets() {
    List<Target> targets = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      targets.add(new Target("t" + i, 9, TokenUnit.OPERATIONS));
    }
    Cluster largest = new Cluster(targets);
    String text = StateText.write(ABACUS, new Beads(1, 1, ""), largest, 77);
    assertThat(StateText.read(ABACUS, text).cluster().equals(largest)).isTrue();
    targets.add(new Target("one more", 9, TokenUnit.OPERATIONS));
    String tooMany = StateText.write(ABACUS, new Beads(1, 1, ""), new Cluster(targets), 77);
    assertThatThrownBy(() -> StateText.read(ABACUS, tooMany))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("line 100003: expected a line that begins with beads");
  }

  /** Writes one long word. */
  private record LongWord(int length) implements StateCodec<Integer> {
    @Override
    public String name() {
      return "long";
    }

    @Override
    public void write(Integer state, StateWriter out) {
      out.line("x".repeat(length));
    }

    @Override
    public Integer read(StateReader in, Cluster cluster) {
      in.line("x".repeat(length));
      return 1;
    }
  }

  @Test
  void thereIsABoundOnLength() {
    int others = StateText.write(new LongWord(0), 1, CLUSTER, 77).length();
    LongWord longest = new LongWord(StateText.LENGTH_MAX - others);
    String text = StateText.write(longest, 1, CLUSTER, 77);
    assertThat(text.length()).isEqualTo(StateText.LENGTH_MAX);
    assertThat(StateText.read(longest, text).state()).isEqualTo(1);
    LongWord tooLong = new LongWord(StateText.LENGTH_MAX - others + 1);
    assertThatThrownBy(() -> StateText.write(tooLong, 1, CLUSTER, 77))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the state of long would take more than");
  }

  @Test
  void whatIsLearntIsKeptForAnHour() {
    assertThat(ABACUS.keptNanos()).isEqualTo(3_600_000_000_000L);
  }

  @Test
  void aTextThatWasCutOrChangedIsRefused() {
    String text = StateText.write(ABACUS, new Beads(5, 0.1, "name"), CLUSTER, 77);
    assertThatThrownBy(() -> StateText.read(ABACUS, text.substring(0, text.length() - 1)))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("it was cut short, or changed");
    assertThatThrownBy(() -> StateText.read(ABACUS, text.replace("beads 5", "beads 6")))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("something was changed");
    assertThatThrownBy(() -> StateText.read(ABACUS, text + "x".repeat(StateText.LENGTH_MAX)))
        .isInstanceOf(UnreadableStateException.class)
        .hasMessageContaining("expected at most");
  }

  @Test
  void everyBitCounts() {
    String text = StateText.write(ABACUS, new Beads(5, 0.1, "name"), CLUSTER, 77);
    for (int i = 0; i < text.length(); i++) {
      for (int bit = 0; bit < 16; bit++) {
        StringBuilder changed = new StringBuilder(text);
        changed.setCharAt(i, (char) (text.charAt(i) ^ 1 << bit));
        assertThatThrownBy(() -> StateText.read(ABACUS, changed.toString()))
            .isInstanceOf(UnreadableStateException.class);
      }
    }
  }
}
