package dev.sluice.load.play;

import dev.sluice.load.client.Payload;
import java.nio.ByteBuffer;

/**
 * What stands in a file: every byte follows from the file's seed and the byte's offset, so that
 * nobody has to remember what was written, and a byte that is lost, mangled or in another place is
 * found.
 *
 * <p>Eight bytes at a time follow from a multiplication and a shift: making and checking them must
 * cost less than moving them.
 */
public final class Contents {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;
  private static final int SHIFT = 29;

  /** What {@link #firstDifference} says where there is none. */
  public static final long NO_DIFFERENCE = -1;

  private final long seed;

  public Contents(long seed) {
    this.seed = seed;
  }

  /** A piece of the file, to be written. */
  public Payload piece(long offset, int length) {
    return new Piece(offset, length);
  }

  private final class Piece implements Payload {
    private final long offset;
    private final int length;

    Piece(long offset, int length) {
      this.offset = offset;
      this.length = length;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void writeTo(ByteBuffer out) {
      int start = out.position();
      int end = start + length;
      int at = start;
      for (; at < end && (offset + at - start) % Long.BYTES != 0; at++) {
        out.put(at, byteAt(offset + at - start));
      }
      long word = (offset + at - start) / Long.BYTES;
      for (; at + Long.BYTES <= end; at += Long.BYTES) {
        out.putLong(at, wordAt(word++));
      }
      for (; at < end; at++) {
        out.put(at, byteAt(offset + at - start));
      }
      out.position(end);
    }
  }

  /**
   * The offset of the first byte that is not as it should be, or {@link #NO_DIFFERENCE}.
   *
   * @param data what was read, from its position to its limit, which are left alone
   * @param offset where in the file it was read
   */
  public long firstDifference(ByteBuffer data, long offset) {
    int start = data.position();
    int end = data.limit();
    int at = start;
    for (; at < end && (offset + at - start) % Long.BYTES != 0; at++) {
      if (data.get(at) != byteAt(offset + at - start)) {
        return offset + at - start;
      }
    }
    long word = (offset + at - start) / Long.BYTES;
    while (at + Long.BYTES <= end && data.getLong(at) == wordAt(word)) {
      at += Long.BYTES;
      word++;
    }
    for (; at < end; at++) {
      if (data.get(at) != byteAt(offset + at - start)) {
        return offset + at - start;
      }
    }
    return NO_DIFFERENCE;
  }

  private long wordAt(long word) {
    long mixed = seed + word * GOLDEN_GAMMA;
    return mixed ^ (mixed >>> SHIFT);
  }

  private byte byteAt(long offset) {
    int shift = Byte.SIZE * (Long.BYTES - 1 - (int) (offset % Long.BYTES));
    return (byte) (wordAt(offset / Long.BYTES) >>> shift);
  }
}
