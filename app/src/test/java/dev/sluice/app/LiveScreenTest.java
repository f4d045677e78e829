package dev.sluice.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LiveScreenTest {
  private static final LiveScreen.Picture PICTURE =
      new LiveScreen.Picture() {
        @Override
        public List<String> lines() {
          return List.of("one", "two");
        }

        @Override
        public String line() {
          return "short";
        }
      };

  private final StringWriter text = new StringWriter();
  private final AtomicLong now = new AtomicLong();

  @Test
  void onATerminalItDrawsOverItself() {
    LiveScreen screen = screen(true);
    screen.show(PICTURE);
    assertThat(text.toString()).isEmpty();
    now.addAndGet(200_000_000);
    screen.show(PICTURE);
    assertThat(text.toString()).isEqualTo("one\ntwo\n");
    now.addAndGet(200_000_000);
    screen.show(PICTURE);
    assertThat(text.toString()).isEqualTo("one\ntwo\n\u001b[2A\r\u001b[Jone\ntwo\n");
    screen.clear();
    screen.clear();
    assertThat(text.toString()).endsWith("one\ntwo\n\u001b[2A\r\u001b[J");
  }

  @Test
  void elsewhereItPrintsALineNowAndThen() {
    LiveScreen screen = screen(false);
    for (int i = 0; i < 100; i++) {
      now.addAndGet(100_000_000);
      screen.show(PICTURE);
    }
    screen.clear();
    assertThat(text.toString()).isEqualTo("short\nshort\n");
  }

  private LiveScreen screen(boolean terminal) {
    return new LiveScreen(new PrintWriter(text), terminal, now::get);
  }
}
