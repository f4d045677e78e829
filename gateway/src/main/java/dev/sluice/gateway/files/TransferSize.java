package dev.sluice.gateway.files;

import dev.sluice.nfs.nfs3.Nfs3Sizes;

/**
 * How much of a file one READ or WRITE moves at most. Clients are told so when they mount; those
 * that ask for more all the same get a part, and come again for the rest.
 */
public record TransferSize(int bytesMax) {
  /** What nobody has chosen. */
  public static final TransferSize USUAL = new TransferSize(Nfs3Sizes.TRANSFER_BYTES_USUAL);

  /** Less is of no use to anybody, and many calls. */
  public static final int BYTES_MIN = 64 << 10;

  /** Clients move whole pages. */
  public static final int MULTIPLE_BYTES = 4 << 10;

  public TransferSize {
    if (bytesMax < BYTES_MIN
        || bytesMax > Nfs3Sizes.TRANSFER_BYTES_MAX
        || bytesMax % MULTIPLE_BYTES != 0) {
      throw new IllegalArgumentException(
          "a call moves 64 KiB to 4 MiB in multiples of 4 KiB at most, not " + bytesMax);
    }
  }

  /** What is moved of so many bytes, an unsigned number: the rest is for another call. */
  public int of(int count) {
    return count < 0 ? bytesMax : Math.min(count, bytesMax);
  }

  /** Whether so many bytes, an unsigned number, are moved at once. */
  public boolean isWhole(int count) {
    return of(count) == count;
  }

  /** What clients had better ask for if they have no reason to ask for more. */
  public int preferredBytes() {
    return Math.min(bytesMax, Nfs3Sizes.TRANSFER_BYTES_USUAL);
  }
}
