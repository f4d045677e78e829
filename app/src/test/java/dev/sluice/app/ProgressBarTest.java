package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
  private static final long SECOND = 1_000_000_000L;

  private final StringWriter text = new StringWriter();
  private long nowNanos = 5 * SECOND;

  @Test
  void aTerminalSeesTheBarAndAnEstimate() {
    ProgressBar bar = bar(true);
    nowNanos += 10 * SECOND;
    bar.update(0.25);
    assertThat(text.toString())
        .isEqualTo("\rsimulating [#######.......................] 25 %, 30 s left");
  }

  @Test
  void aShorterTextWipesTheLongerOne() {
    ProgressBar bar = bar(true);
    nowNanos += 100 * SECOND;
    bar.update(0.1);
    int length = text.toString().length();
    nowNanos += 100 * SECOND;
    bar.update(0.99);
    assertThat(text.toString().substring(length)).hasSize(length);
    bar.clear();
    assertThat(text.toString()).endsWith("\r" + " ".repeat(length - 4) + "\r");
  }

  @Test
  void itIsNotDrawnMoreOftenThanAnybodyCanSee() {
    ProgressBar bar = bar(true);
    for (int i = 0; i < 1_000; i++) {
      nowNanos += SECOND / 1_000;
      bar.update(i / 1_000.0);
    }
    assertThat(text.toString().chars().filter(c -> c == '\r').count()).isEqualTo(10);
  }

  @Test
  void aLogSeesALineNowAndThen() {
    ProgressBar bar = bar(false);
    for (int i = 1; i <= 25; i++) {
      nowNanos += SECOND;
      bar.update(i / 50.0);
    }
    bar.clear();
    assertThat(text.toString().lines())
        .containsExactly("simulating 20 %, 40 s left", "simulating 40 %, 30 s left");
  }

  @Test
  void nothingIsEstimatedFromNothingAndProgressNeverGoesBack() {
    ProgressBar bar = bar(true);
    nowNanos += SECOND;
    bar.update(0.01);
    assertThat(text.toString()).endsWith("] 1 %");
    nowNanos += SECOND;
    bar.update(0.5);
    nowNanos += SECOND;
    bar.update(0.2);
    assertThat(text.toString()).contains("50 %, 3 s left").doesNotContain("20 %");
  }

  private ProgressBar bar(boolean terminal) {
    return new ProgressBar(new PrintWriter(text, true), terminal, "simulating", () -> nowNanos);
  }
}
