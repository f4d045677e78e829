package dev.sluice.app;

import dev.sluice.core.model.Quantities;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.DoubleConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far a long task is and how long it will take: a bar that is drawn over itself on a terminal,
 * and now and then a line elsewhere, so that logs stay short. Safe to use from several threads.
 */
public final class ProgressBar {
  private static final int CELLS = 30;
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;

  /** Before this much is done, an estimate is a guess. */
  private static final double ESTIMATE_FROM = 0.02;

  private final PrintWriter out;
  private final boolean terminal;
  private final String task;
  private final LongSupplier clockNanos;
  private final long startNanos;
  private long lastDrawnNanos;
  private double done;
  private int drawnLength;

  /**
   * A bar at zero.
   *
   * @param terminal whether what is written can be written over
   * @param task what is being done, in a word or two
   * @param clockNanos tells the time
   */
  public ProgressBar(PrintWriter out, boolean terminal, String task, LongSupplier clockNanos) {
    this.out = out;
    this.terminal = terminal;
    this.task = task;
    this.clockNanos = clockNanos;
    this.startNanos = clockNanos.getAsLong();
    this.lastDrawnNanos = startNanos;
  }

  /** A bar on this program's console, or lines where it has none. */
  public static ProgressBar onConsole(PrintWriter out, String task) {
    return new ProgressBar(out, isOnTerminal(), task, System::nanoTime);
  }

  /** Whether what this program writes can be written over. */
  public static boolean isOnTerminal() {
    // There is no console where neither end of the program is a terminal.
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }

  /** What moves this bar; nothing where there is none. */
  public static DoubleConsumer telling(@Nullable ProgressBar bar) {
    return bar == null ? _ -> {} : bar::update;
  }

  /** Takes note that this part, 0 to 1, is done; it never goes back. */
  public synchronized void update(double part) {
    done = Math.clamp(part, done, 1);
    long now = clockNanos.getAsLong();
    if (now - lastDrawnNanos < (terminal ? REDRAW_NANOS : LINE_NANOS)) {
      return;
    }
    lastDrawnNanos = now;
    String text = text(now);
    if (terminal) {
      out.print("\r" + text + " ".repeat(Math.max(0, drawnLength - text.length())));
      out.flush();
      drawnLength = text.length();
    } else {
      out.println(text);
    }
  }

  /** Takes the bar away, so that what is printed next begins on a clean line. */
  public synchronized void clear() {
    if (drawnLength > 0) {
      out.print("\r" + " ".repeat(drawnLength) + "\r");
      out.flush();
      drawnLength = 0;
    }
  }

  private String text(long nowNanos) {
    long elapsed = nowNanos - startNanos;
    String left =
        done < ESTIMATE_FROM || done == 1
            ? ""
            : ", " + rounded((long) (elapsed * (1 - done) / done)) + " left";
    int filled = (int) (done * CELLS);
    String bar = terminal ? "[" + "#".repeat(filled) + ".".repeat(CELLS - filled) + "] " : "";
    return task + " " + bar + (int) (done * 100) + " %" + left;
  }

  /** Whole seconds: more digits would only flicker. */
  private static String rounded(long nanos) {
    long seconds = Math.max(1, Math.round(nanos / 1e9));
    return Quantities.formatDuration(seconds * 1_000_000_000L);
  }
}
