package dev.sluice.core.policy;

import java.nio.charset.StandardCharsets;

/** Puts a checksum to a text that nobody wrote, by a computation of its own. */
public final class StateTexts {
  private static final long POLYNOMIAL = 0x42f0e1eba9ea3693L;

  private StateTexts() {}

  /** The text with a last line that says that it is whole. */
  public static String signed(String text) {
    int end = text.lastIndexOf("\nend ");
    String lines = end < 0 ? text : text.substring(0, end);
    return lines + String.format("%nend %016x%n", crc64(lines)).replace("\r", "");
  }

  /** CRC-64/XZ as its definition says, bit by bit. */
  static long crc64(String text) {
    long check = -1;
    for (byte value : text.getBytes(StandardCharsets.ISO_8859_1)) {
      for (int bit = 0; bit < 8; bit++) {
        boolean one = (value >> bit & 1) != 0;
        check = check << 1 ^ (check < 0 != one ? POLYNOMIAL : 0);
      }
    }
    return ~Long.reverse(check);
  }
}
