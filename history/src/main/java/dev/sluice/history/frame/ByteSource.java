package dev.sluice.history.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what a {@link ByteSink} took in; throws {@link MalformedRecordException} beyond its end.
 */
public final class ByteSource {
  private final byte[] bytes;
  private int position;

  public ByteSource(byte[] bytes) {
    this.bytes = bytes;
  }

  public boolean isAtEnd() {
    return position == bytes.length;
  }

  public int octet() {
    if (position == bytes.length) {
      throw new MalformedRecordException("ends too early");
    }
    return bytes[position++] & 0xff;
  }

  public long number() {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = octet();
      value |= (long) (next & 0x7f) << shift;
      if ((next & 0x80) == 0) {
        return value;
      }
    }
    throw new MalformedRecordException("a number is too long");
  }

  /** A number up to a bound. */
  public int number(int max) {
    long value = number();
    if (value > max) {
      throw new MalformedRecordException("expected a number up to " + max + ", not " + value);
    }
    return (int) value;
  }

  /** All that was not read yet. */
  public byte[] rest() {
    byte[] rest = Arrays.copyOfRange(bytes, position, bytes.length);
    position = bytes.length;
    return rest;
  }

  public String text() {
    int length = number(bytes.length - position);
    String text = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return text;
  }
}
