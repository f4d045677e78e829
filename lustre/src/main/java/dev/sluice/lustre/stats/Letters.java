package dev.sluice.lustre.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Finds letters of ASCII in bytes, eight at once where there are as many. */
final class Letters {
  /** Eight bytes at once, the first of them the lowest. */
  static final VarHandle LETTERS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Four bytes at once. */
  static final VarHandle FOUR_LETTERS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  static final long HIGHEST = 0x8080808080808080L;
  static final long BLANKS = 0x2020202020202020L;
  static final long ZEROS = 0x3030303030303030L;
  private static final long ONES = 0x0101010101010101L;
  private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;

  private Letters() {}

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Where the next line ends; negative where that has not come yet. */
  static int newline(byte[] bytes, int from, int length) {
    int i = from;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      // A byte that is a newline becomes zero, and the first zero byte is the first to borrow.
      long letters = (long) LETTERS.get(bytes, i) ^ NEWLINES;
      long found = (letters - ONES) & ~letters & HIGHEST;
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    for (; i < length; i++) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  static int skipBlanks(byte[] text, int from, int to) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long letters = (long) LETTERS.get(text, at) ^ BLANKS;
      if (letters != 0) {
        return at + (Long.numberOfTrailingZeros(letters) >>> 3);
      }
    }
    while (at < to && text[at] == ' ') {
      at++;
    }
    return at;
  }

  static boolean is(byte[] text, int from, int length, byte[] wanted) {
    return length == wanted.length && matches(text, from, wanted);
  }

  static boolean startsWith(byte[] text, int from, int to, byte[] wanted) {
    return to - from >= wanted.length && matches(text, from, wanted);
  }

  static boolean matches(byte[] text, int from, byte[] wanted) {
    for (int i = 0; i < wanted.length; i++) {
      if (text[from + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }

  static int indexOf(byte[] text, int from, int to, byte[] wanted) {
    for (int i = from; i <= to - wanted.length; i++) {
      if (matches(text, i, wanted)) {
        return i;
      }
    }
    return -1;
  }
}
