package dev.sluice.lustre;

import dev.sluice.core.model.JobId;
import java.util.Locale;

/**
 * A job id as Lustre knows it: bytes, each of which is one character here, as in Latin-1.
 *
 * <p>Lustre lets a job id hold anything; ours have no control characters. {@link #shown} writes
 * those, and the backslash, as Lustre itself does: {@code \x0A}. No two ids look the same then.
 */
public record LustreJobId(String bytes) implements Comparable<LustreJobId> {
  /** What Lustre itself keeps. */
  public static final int LENGTH_MAX = 31;

  /** A bound on what is taken in; clients may be newer than we are. */
  public static final int ACCEPTED_MAX = 63;

  public LustreJobId {
    if (bytes.isEmpty() || bytes.length() > ACCEPTED_MAX) {
      throw new IllegalArgumentException(
          "a job id has 1 to " + ACCEPTED_MAX + " bytes, this one has " + bytes.length());
    }
  }

  /** The same as an id that policies and people can take. */
  public JobId shown() {
    for (int i = 0; i < bytes.length(); i++) {
      if (isEscaped(bytes.charAt(i))) {
        return JobId.of(escaped());
      }
    }
    return JobId.of(bytes);
  }

  private static boolean isEscaped(char letter) {
    return letter == '\\' || Character.isISOControl(letter);
  }

  private String escaped() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length(); i++) {
      char letter = bytes.charAt(i);
      if (isEscaped(letter)) {
        text.append(String.format(Locale.ROOT, "\\x%02X", (int) letter));
      } else {
        text.append(letter);
      }
    }
    return text.toString();
  }

  @Override
  public int compareTo(LustreJobId other) {
    return bytes.compareTo(other.bytes);
  }

  @Override
  public String toString() {
    return shown().toString();
  }
}
