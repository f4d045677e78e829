package dev.sluice.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalLogTest {
  @Test
  void writesALineASecondAndCountsTheRest() {
    RefusalLog log = new RefusalLog();
    assertThat(log.line("a", 5)).isEqualTo("refused: a");
    for (int i = 0; i < 7; i++) {
      assertThat(log.line("b", 6 + i)).isEmpty();
    }
    assertThat(log.line("c", 1_000_000_005L))
        .isEqualTo("refused: c (and 7 more since the last such line)");
  }

  @Test
  void cannotBeForged() {
    String line = new RefusalLog().line("a\nchanged by root: \033[2J" + "x".repeat(1_000), 0);
    assertThat(line).doesNotContain("\n").doesNotContain("\033").hasSizeLessThan(400);
  }
}
