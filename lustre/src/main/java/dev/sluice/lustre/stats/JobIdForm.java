package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreVersion;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How a server writes job ids into job_stats. */
public enum JobIdForm {
  /** As they are, with a question mark for whatever cannot be printed. */
  RAW,
  /** In quotation marks where there is anything unusual, and that as {@code \x20}. */
  ESCAPED;

  /** What stands between the beginning of the line and the id: a padded key and a blank. */
  private static final int PADDING = 10;

  /** The form that a version of Lustre uses. */
  public static JobIdForm of(LustreVersion version) {
    return version.isAtLeast(2, 15, 2) ? ESCAPED : RAW;
  }

  /** Whether a question mark may stand for something else. */
  public boolean hidesUnprintable() {
    return this == RAW;
  }

  /** The id in the text behind {@code job_id:}; null where it cannot be one. */
  @Nullable String read(byte[] text, int from, int to) {
    int start = from;
    while (start < to && text[start] == ' ' && (this == ESCAPED || start - from < PADDING)) {
      start++;
    }
    if (this == RAW || start == to || text[start] != '"') {
      boolean escape = this == ESCAPED && contains(text, start, to, (byte) '\\');
      return escape ? null : new String(text, start, to - start, StandardCharsets.ISO_8859_1);
    }
    if (to - start < 2 || text[to - 1] != '"') {
      return null;
    }
    return unescaped(text, start + 1, to - 1);
  }

  private static boolean contains(byte[] text, int from, int to, byte wanted) {
    for (int i = from; i < to; i++) {
      if (text[i] == wanted) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String unescaped(byte[] text, int from, int to) {
    StringBuilder id = new StringBuilder(to - from);
    int i = from;
    while (i < to) {
      if (text[i] != '\\') {
        id.append((char) (text[i] & 0xff));
        i++;
        continue;
      }
      if (i + 4 > to || text[i + 1] != 'x') {
        return null;
      }
      int high = Character.digit(text[i + 2], 16);
      int low = Character.digit(text[i + 3], 16);
      if (high < 0 || low < 0) {
        return null;
      }
      id.append((char) (high << 4 | low));
      i += 4;
    }
    return id.toString();
  }
}
