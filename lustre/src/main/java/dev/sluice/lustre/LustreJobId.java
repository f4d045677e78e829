package dev.sluice.lustre;

import dev.sluice.core.model.JobId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A job id as Lustre knows it: bytes, each of which is one character here, as in Latin-1.
 *
 * <p>Lustre lets a job id hold anything; ours have no control characters. {@link #shown} writes
 * those, and the backslash, as Lustre itself does: {@code \x0A}. Bytes beyond ASCII are the letters
 * that they are in UTF-8, as in a file that names jobs, or written so, too. No two ids look the
 * same then.
 */
public record LustreJobId(String bytes) implements Comparable<LustreJobId> {
  /** What Lustre itself keeps. */
  public static final int LENGTH_MAX = 31;

  /** A bound on what is taken in; clients may be newer than we are. */
  public static final int ACCEPTED_MAX = 63;

  private static final char ASCII_END = 0x80;

  public LustreJobId {
    if (bytes.isEmpty() || bytes.length() > ACCEPTED_MAX) {
      throw new IllegalArgumentException(
          "a job id has 1 to " + ACCEPTED_MAX + " bytes, this one has " + bytes.length());
    }
  }

  /** The same as an id that policies and people can take. */
  public JobId shown() {
    boolean ascii = true;
    boolean plain = true;
    for (int i = 0; i < bytes.length(); i++) {
      ascii &= bytes.charAt(i) < ASCII_END;
      plain &= !isEscaped(bytes.charAt(i));
    }
    if (ascii) {
      return JobId.of(plain ? bytes : escaped(bytes, false));
    }
    String text = decoded();
    return JobId.of(text == null ? escaped(bytes, true) : escaped(text, false));
  }

  /** The text that the bytes are in UTF-8; null where they are none that can be shown. */
  private @Nullable String decoded() {
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes.getBytes(StandardCharsets.ISO_8859_1)))
              .toString();
    } catch (CharacterCodingException e) {
      return null;
    }
    // A control character beyond ASCII would look like the byte of the same number.
    return text.chars().anyMatch(c -> c >= ASCII_END && Character.isISOControl(c)) ? null : text;
  }

  private static boolean isEscaped(char letter) {
    return letter == '\\' || Character.isISOControl(letter);
  }

  private static String escaped(String letters, boolean beyondAscii) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < letters.length(); i++) {
      char letter = letters.charAt(i);
      if (isEscaped(letter) || (beyondAscii && letter >= ASCII_END)) {
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
