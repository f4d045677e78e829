package dev.sluice.gateway.nfs4;

import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import java.util.concurrent.TimeUnit;

/**
 * What a COMPOUND has the file system do with contents that it does not carry: copies, and ranges
 * that are reserved or given back. A few bytes can ask for terabytes of that. So a COMPOUND gets a
 * piece of it done, is charged for the piece, and whoever wants more comes again and waits for its
 * turn like everybody.
 */
final class LongWork {
  /** The most that is copied by a COMPOUND: as much as one READ and one WRITE usually move. */
  static final int COPY_BYTES_MAX = Nfs3Sizes.TRANSFER_BYTES_USUAL;

  /** A range is reserved or given back by so much at a time, which is one operation. */
  static final long PIECE_BYTES = 64L << 20;

  /** And for so long: ext4 reserves a hundred gigabytes in that time, tmpfs less than one. */
  static final long NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(200);

  private final Tally tally;
  private int copiedBytes;
  private boolean hasBegun;
  private long beganNanos;

  LongWork(Tally tally) {
    this.tally = tally;
  }

  /** What is moved by a COPY of so many bytes: it reads them and writes them. */
  static long movedBytes(long count) {
    return 2L * copyBytes(count);
  }

  /** What is copied of so many bytes, an unsigned number, 0 for all there are. */
  private static int copyBytes(long count) {
    return count <= 0 ? COPY_BYTES_MAX : (int) Math.min(count, COPY_BYTES_MAX);
  }

  /** How much may be copied of so many bytes, an unsigned number, 0 for all there are. */
  int copyable(long count) throws Refusal {
    int room = COPY_BYTES_MAX - copiedBytes;
    if (room <= 0) {
      throw new Refusal(Nfs4Status.DELAY, "as much was copied as a COMPOUND may");
    }
    return Math.min(room, copyBytes(count));
  }

  void copied(int bytes) {
    copiedBytes += bytes;
    tally.moved((int) movedBytes(bytes));
  }

  /** Whether there is time for one more piece, which is charged for. */
  boolean beginPiece(long nowNanos) {
    if (!hasBegun) {
      hasBegun = true;
      beganNanos = nowNanos;
    } else if (nowNanos - beganNanos >= NANOS_MAX) {
      return false;
    }
    tally.add(1);
    return true;
  }
}
