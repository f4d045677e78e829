package dev.sluice.nfs.nfs4;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * Which attributes are meant (bitmap4).
 *
 * @param low those below 64, by bit
 * @param high those from 64 to 95
 * @param isMore whether a higher one is among them, which nobody here knows
 */
public record AttributeSet(long low, int high, boolean isMore) {
  public static final AttributeSet NONE = new AttributeSet(0, 0, false);

  /** A count and at most so many words are written. */
  public static final int BYTES_MAX = 4 * Integer.BYTES;

  /** Far more than any version of the protocol has. */
  private static final int WORDS_MAX = 64;

  private static final int LOW_BITS = 64;

  public static AttributeSet of(int... attributes) {
    AttributeSet set = NONE;
    for (int attribute : attributes) {
      set = set.with(attribute);
    }
    return set;
  }

  /** Reads one. Clients of tomorrow may ask for attributes that are not known yet. */
  public static AttributeSet read(XdrReader in) {
    int words = in.readInt();
    if (words < 0 || words > WORDS_MAX) {
      throw new XdrException("expected a bitmap of at most " + WORDS_MAX + " words, not " + words);
    }
    long low = 0;
    int high = 0;
    boolean isMore = false;
    for (int i = 0; i < words; i++) {
      int word = in.readInt();
      switch (i) {
        case 0 -> low = Integer.toUnsignedLong(word);
        case 1 -> low |= (long) word << 32;
        case 2 -> high = word;
        default -> isMore |= word != 0;
      }
    }
    return new AttributeSet(low, high, isMore);
  }

  /** Writes those that are known. */
  public void write(XdrWriter out) {
    int words = high != 0 ? 3 : low >>> 32 != 0 ? 2 : low != 0 ? 1 : 0;
    out.writeInt(words);
    if (words > 0) {
      out.writeInt((int) low);
    }
    if (words > 1) {
      out.writeInt((int) (low >>> 32));
    }
    if (words > 2) {
      out.writeInt(high);
    }
  }

  public boolean has(int attribute) {
    return attribute < LOW_BITS
        ? (low >>> attribute & 1) != 0
        : (high >>> (attribute - LOW_BITS) & 1) != 0;
  }

  /** The first of those that are known from a number on; -1 when there is none. */
  public int next(int from) {
    long lowRest = from < LOW_BITS ? low >>> from << from : 0;
    if (lowRest != 0) {
      return Long.numberOfTrailingZeros(lowRest);
    }
    int highFrom = Math.max(0, from - LOW_BITS);
    int highRest = highFrom < Integer.SIZE ? high >>> highFrom << highFrom : 0;
    return highRest != 0 ? LOW_BITS + Integer.numberOfTrailingZeros(highRest) : -1;
  }

  public AttributeSet with(int attribute) {
    return attribute < LOW_BITS
        ? new AttributeSet(low | 1L << attribute, high, isMore)
        : new AttributeSet(low, high | 1 << (attribute - LOW_BITS), isMore);
  }

  /** Those that are in both. */
  public AttributeSet and(AttributeSet other) {
    return new AttributeSet(low & other.low, high & other.high, isMore && other.isMore);
  }

  /** Those that are in this one alone. */
  public AttributeSet without(AttributeSet other) {
    return new AttributeSet(low & ~other.low, high & ~other.high, isMore && !other.isMore);
  }

  public boolean isEmpty() {
    return low == 0 && high == 0 && !isMore;
  }
}
