package dev.sluice.access;

import java.lang.System.Logger.Level;

/** A log of refused attempts that strangers cannot fill: a line a second, which counts the rest. */
public final class RefusalLog {
  private static final System.Logger LOG = System.getLogger(RefusalLog.class.getName());
  private static final long INTERVAL_NANOS = 1_000_000_000L;

  /** Long enough to see what was tried. */
  private static final int LENGTH_MAX = 300;

  private boolean begun;
  private long nextNanos;
  private long leftOut;

  /** Notes down a refusal, or counts it. */
  public void refused(String what, long nowNanos) {
    String line = line(what, nowNanos);
    if (!line.isEmpty()) {
      LOG.log(Level.WARNING, line);
    }
  }

  /** What to write; empty when it is too soon after the last line. */
  synchronized String line(String what, long nowNanos) {
    if (begun && nowNanos - nextNanos < 0) {
      leftOut++;
      return "";
    }
    begun = true;
    nextNanos = nowNanos + INTERVAL_NANOS;
    String line = "refused: " + printable(what);
    if (leftOut > 0) {
      line += " (and " + leftOut + " more since the last such line)";
    }
    leftOut = 0;
    return line;
  }

  /** What came from outside can neither begin a line of its own nor move a terminal's cursor. */
  static String printable(String text) {
    String cut = text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "…" : text;
    StringBuilder clean = new StringBuilder();
    cut.codePoints()
        .forEach(point -> clean.appendCodePoint(Character.isISOControl(point) ? '?' : point));
    return clean.toString();
  }
}
