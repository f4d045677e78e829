package dev.sluice.history.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow: numbers in as few bytes as they need, and texts. Not thread-safe. */
public final class ByteSink {
  private static final int VARINT_BYTES_MAX = 10;

  private byte[] bytes = new byte[4_096];
  private int size;

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  public byte[] array() {
    return bytes;
  }

  public void octet(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  /** A number that is not negative, seven bits a byte, the lowest first. */
  public void number(long value) {
    if (value < 0) {
      throw new IllegalArgumentException("expected a number that is not negative, not " + value);
    }
    reserve(VARINT_BYTES_MAX);
    long left = value;
    while (left > 0x7f) {
      bytes[size++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    bytes[size++] = (byte) left;
  }

  public void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    append(utf8, utf8.length);
  }

  public void append(ByteSink other) {
    append(other.bytes, other.size);
  }

  /** The first so many bytes of an array. */
  public void append(byte[] from, int length) {
    reserve(length);
    System.arraycopy(from, 0, bytes, size, length);
    size += length;
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
