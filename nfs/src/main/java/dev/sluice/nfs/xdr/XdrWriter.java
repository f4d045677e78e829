package dev.sluice.nfs.xdr;

import java.nio.ByteBuffer;

/**
 * Writes XDR into a buffer at its position. The caller has made sure that there is room: a full
 * buffer is a mistake of ours, and throws {@link java.nio.BufferOverflowException}.
 */
public final class XdrWriter {
  private final ByteBuffer out;

  /** Writes to this buffer, which is big-endian, and moves its position. */
  public XdrWriter(ByteBuffer out) {
    this.out = out;
  }

  public XdrWriter writeInt(int value) {
    out.putInt(value);
    return this;
  }

  public XdrWriter writeLong(long value) {
    out.putLong(value);
    return this;
  }

  public XdrWriter writeBoolean(boolean value) {
    return writeInt(value ? 1 : 0);
  }

  /** The length, the bytes, the padding. */
  public XdrWriter writeOpaque(byte[] bytes) {
    out.putInt(bytes.length).put(bytes);
    return writePadding(bytes.length);
  }

  /** The bytes without their length, padded. */
  public XdrWriter writeFixedOpaque(byte[] bytes) {
    out.put(bytes);
    return writePadding(bytes.length);
  }

  /** The zeros that follow this many bytes. */
  public XdrWriter writePadding(int length) {
    for (int i = length; i < XdrReader.padded(length); i++) {
      out.put((byte) 0);
    }
    return this;
  }

  /** Where the next value will stand. */
  public int position() {
    return out.position();
  }

  /** Goes back, or forward over what was filled in by other means. */
  public void position(int position) {
    out.position(position);
  }

  /** How much room is left. */
  public int remaining() {
    return out.remaining();
  }

  /** The buffer that is written to. */
  public ByteBuffer buffer() {
    return out;
  }
}
