package dev.sluice.app;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * A few lines that are drawn over themselves on a terminal; elsewhere one line now and then, so
 * that logs stay short. Safe to use from several threads.
 */
public final class LiveScreen {
  private static final long REDRAW_NANOS = 200_000_000L;
  private static final long LINE_NANOS = 5_000_000_000L;

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier clockNanos;
  private long lastDrawnNanos;
  private int drawnLines;

  /** What to show. */
  public interface Picture {
    /** For a terminal. */
    List<String> lines();

    /** For everything else. */
    String line();
  }

  /**
   * An empty screen.
   *
   * @param terminal whether what is written can be written over
   * @param clockNanos tells the time
   */
  public LiveScreen(PrintWriter out, boolean terminal, LongSupplier clockNanos) {
    this.out = out;
    this.terminal = terminal;
    this.clockNanos = clockNanos;
    this.lastDrawnNanos = clockNanos.getAsLong();
  }

  /** A screen on this program's console, or lines where it has none. */
  public static LiveScreen onConsole(PrintWriter out) {
    return new LiveScreen(out, ProgressBar.isOnTerminal(), System::nanoTime);
  }

  /** Draws, unless it has drawn a moment ago. */
  public synchronized void show(Picture picture) {
    long now = clockNanos.getAsLong();
    if (now - lastDrawnNanos < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
      return;
    }
    lastDrawnNanos = now;
    if (!terminal) {
      out.println(picture.line());
      return;
    }
    eraseDrawn();
    List<String> lines = picture.lines();
    lines.forEach(out::println);
    out.flush();
    drawnLines = lines.size();
  }

  /** Takes away what is drawn, so that what is printed next takes its place. */
  public synchronized void clear() {
    eraseDrawn();
    out.flush();
  }

  private void eraseDrawn() {
    if (drawnLines > 0) {
      out.print("\u001b[" + drawnLines + "A\r\u001b[J");
      drawnLines = 0;
    }
  }
}
