package dev.sluice.nfs.xdr;

import java.nio.ByteBuffer;

/**
 * Reads XDR from a buffer, between its position and its limit. Whatever stands there: it answers or
 * throws {@link XdrException}, and never reads beyond the limit.
 */
public final class XdrReader {
  private static final int UNIT_BYTES = 4;

  private final ByteBuffer in;

  /** Reads from this buffer, which is big-endian, and moves its position. */
  public XdrReader(ByteBuffer in) {
    this.in = in;
  }

  /** The number of bytes that something of this length takes with its padding. */
  public static int padded(int length) {
    return (length + UNIT_BYTES - 1) & -UNIT_BYTES;
  }

  public int readInt() {
    need(UNIT_BYTES);
    return in.getInt();
  }

  public long readLong() {
    need(2 * UNIT_BYTES);
    return in.getLong();
  }

  /** True for 1, false for 0, and nothing else is let through. */
  public boolean readBoolean() {
    int value = readInt();
    if (value < 0 || value > 1) {
      throw new XdrException("a boolean is 0 or 1, not " + value);
    }
    return value == 1;
  }

  /** A counted, padded run of bytes of at most this length; a copy. */
  public byte[] readOpaque(int lengthMax) {
    byte[] bytes = new byte[readLength(lengthMax)];
    in.get(bytes);
    skipPadding(bytes.length);
    return bytes;
  }

  /**
   * A counted, padded run of bytes of at most this length, where it stands: the returned buffer
   * shares the memory.
   */
  public ByteBuffer readOpaqueInPlace(int lengthMax) {
    int length = readLength(lengthMax);
    ByteBuffer bytes = in.slice(in.position(), length);
    in.position(in.position() + length);
    skipPadding(length);
    return bytes;
  }

  /** Passes over a counted, padded run of bytes of at most this length. */
  public void skipOpaque(int lengthMax) {
    int length = readLength(lengthMax);
    in.position(in.position() + length);
    skipPadding(length);
  }

  /** Passes over so many bytes. */
  public void skip(int bytes) {
    need(bytes);
    in.position(in.position() + bytes);
  }

  /** How much is left. */
  public int remaining() {
    return in.remaining();
  }

  /** Where in the buffer the next value stands. */
  public int position() {
    return in.position();
  }

  /** The buffer that is read from. */
  public ByteBuffer buffer() {
    return in;
  }

  private int readLength(int lengthMax) {
    int length = readInt();
    if (length < 0 || length > lengthMax) {
      throw new XdrException(
          "expected at most " + lengthMax + " bytes, not " + Integer.toUnsignedString(length));
    }
    need(length);
    return length;
  }

  private void skipPadding(int length) {
    skip(padded(length) - length);
  }

  private void need(int bytes) {
    if (in.remaining() < bytes) {
      throw new XdrException("expected " + bytes + " more bytes, there are " + in.remaining());
    }
  }
}
