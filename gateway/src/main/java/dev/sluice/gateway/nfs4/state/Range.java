package dev.sluice.gateway.nfs4.state;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;

/**
 * Bytes that are locked, or are to be. Positions are 64 bits without a sign; the last of all stands
 * for the end of the file, however long it grows.
 *
 * @param first the first byte
 * @param last the last one, included
 * @param isExclusive whether nobody else may lock any of them
 */
record Range(long first, long last, boolean isExclusive) {
  private static final long TO_END = -1;

  /** As the protocol says it: at least one byte, none beyond the last that 64 bits can count. */
  static Range of(long offset, long length, boolean isExclusive) throws StateException {
    if (length == TO_END) {
      return new Range(offset, TO_END, isExclusive);
    }
    if (length == 0 || Long.compareUnsigned(length - 1, TO_END - offset) > 0) {
      throw new StateException(
          Nfs4Status.INVAL,
          "expected a range within 64 bits, not "
              + Long.toUnsignedString(length)
              + " bytes from "
              + Long.toUnsignedString(offset));
    }
    return new Range(offset, offset + length - 1, isExclusive);
  }

  /** All ones when it goes to the end. */
  long length() {
    return last == TO_END ? TO_END : last - first + 1;
  }

  boolean overlaps(Range other) {
    return Long.compareUnsigned(first, other.last) <= 0
        && Long.compareUnsigned(other.first, last) <= 0;
  }

  boolean conflictsWith(Range other) {
    return (isExclusive || other.isExclusive) && overlaps(other);
  }

  /** Whether file systems, which count with 63 bits, have such bytes. */
  boolean isInFiles() {
    return first >= 0;
  }

  /** The length for a file system. */
  long lengthInFile() {
    return last < 0 || last == Long.MAX_VALUE ? FileLocks.TO_END : last - first + 1;
  }
}
