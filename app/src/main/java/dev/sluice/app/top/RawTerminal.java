package dev.sluice.app.top;

import dev.sluice.app.FailedException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The terminal, key by key. Its settings are changed by {@code stty}, which every system with a
 * terminal has, and are as before when it is closed, or the program ended by a signal.
 */
final class RawTerminal implements AutoCloseable {
  private static final File TERMINAL = new File("/dev/tty");
  private static final String ENTER_SCREEN = "\033[?1049h\033[?25l\033[H\033[2J";
  private static final String LEAVE_SCREEN = "\033[?25h\033[?1049l";

  /** More keys than anybody presses between two looks; further ones are lost. */
  private static final int KEYS_MAX = 64;

  private static final long ESCAPE_MILLIS = 30;
  private static final int COLUMNS = 80;
  private static final int LINES = 24;

  private final PrintWriter out;
  private final String before;
  private final BlockingQueue<TopKey> keys = new ArrayBlockingQueue<>(KEYS_MAX);
  private final Thread restore = new Thread(this::restore, "terminal-restore");
  private final InputStream in;

  /** How large it is. */
  record Size(int columns, int lines) {}

  RawTerminal(PrintWriter out) {
    this.out = out;
    before = stty("-g");
    try {
      in = new FileInputStream(TERMINAL);
    } catch (IOException e) {
      throw new FailedException("there is no terminal; --once prints without one", e);
    }
    Runtime.getRuntime().addShutdownHook(restore);
    stty("-icanon", "-echo", "min", "1", "time", "0");
    out.print(ENTER_SCREEN);
    out.flush();
    Thread.ofPlatform().name("keys").daemon().start(this::readKeys);
  }

  private static String stty(String... arguments) {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(TERMINAL)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("stty failed");
      }
      return answer;
    } catch (IOException e) {
      throw new FailedException("there is no terminal; --once prints without one", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  /** How large it is now. */
  Size size() {
    String[] words = stty("size").split(" ", -1);
    try {
      int lines = Integer.parseInt(words[0]);
      int columns = Integer.parseInt(words[1]);
      if (lines > 0 && columns > 0) {
        return new Size(columns, lines);
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      // A terminal that does not say is taken for the usual one.
    }
    return new Size(COLUMNS, LINES);
  }

  private void readKeys() {
    try {
      for (int next = in.read(); next >= 0; next = in.read()) {
        TopKey key = key(next);
        if (key != null && !keys.offer(key)) {
          keys.clear();
        }
      }
    } catch (IOException e) {
      // The terminal is gone, and so is whoever looked at it.
    }
    keys.clear();
    keys.add(TopKey.Special.END);
  }

  private @Nullable TopKey key(int first) throws IOException {
    return switch (first) {
      case 3, 4 -> TopKey.Special.END;
      case '\r', '\n' -> TopKey.Special.ENTER;
      case 8, 127 -> TopKey.Special.BACKSPACE;
      case 27 -> escaped();
      default -> first < 32 ? null : new TopKey.Letter(codePoint(first));
    };
  }

  /** An arrow sends several characters at once, Escape only one. */
  private @Nullable TopKey escaped() throws IOException {
    try {
      Thread.sleep(ESCAPE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (in.available() == 0) {
      return TopKey.Special.ESCAPE;
    }
    byte[] rest = new byte[Math.min(in.available(), 8)];
    int length = in.read(rest);
    if (length >= 2 && (rest[0] == '[' || rest[0] == 'O')) {
      return switch (rest[1]) {
        case 'A' -> TopKey.Special.UP;
        case 'B' -> TopKey.Special.DOWN;
        default -> null;
      };
    }
    return null;
  }

  private int codePoint(int first) throws IOException {
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
    byte[] bytes = new byte[more + 1];
    bytes[0] = (byte) first;
    for (int i = 1; i <= more; i++) {
      bytes[i] = (byte) in.read();
    }
    return new String(bytes, StandardCharsets.UTF_8).codePointAt(0);
  }

  /** The next key; null when none comes in this time. */
  @Nullable TopKey nextKey(long timeoutMillis) throws InterruptedException {
    return keys.poll(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** Draws over what is there, without a flicker. */
  void draw(List<String> lines) {
    StringBuilder text = new StringBuilder("\033[H");
    for (int i = 0; i < lines.size(); i++) {
      text.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append("\033[K");
    }
    out.print(text.append("\033[J"));
    out.flush();
  }

  private void restore() {
    stty(before);
    out.print(LEAVE_SCREEN);
    out.flush();
  }

  @Override
  public void close() {
    restore();
    try {
      Runtime.getRuntime().removeShutdownHook(restore);
    } catch (IllegalStateException e) {
      // The program ends anyway.
    }
  }
}
