package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
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
