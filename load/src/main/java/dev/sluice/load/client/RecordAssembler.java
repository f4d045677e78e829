package dev.sluice.load.client;

import dev.sluice.nfs.rpc.RecordMark;
import dev.sluice.nfs.xdr.XdrException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Takes records out of a stream of bytes (RFC 5531, section 11), whatever fragments they are cut
 * into and in whatever pieces those arrive.
 *
 * <p>A record is put together where it arrived: the fragments after the first are moved up to it,
 * over their marks, so that the usual record of one fragment is never copied.
 */
final class RecordAssembler {
  /** Longer than any reply that is asked for. */
  static final int RECORD_BYTES_MAX = 8 << 20;

  /** Without a bound, empty fragments would keep the reader busy forever. */
  static final int FRAGMENTS_MAX = 4_096;

  private static final int FIRST_CAPACITY = 64 << 10;

  /** Filled up to its position. */
  private ByteBuffer in = ByteBuffer.allocateDirect(FIRST_CAPACITY);

  /** Where the record that is being put together begins and, so far, ends. */
  private int recordStart;

  private int recordEnd;

  /** Where the next mark stands or will stand. */
  private int nextMark;

  private int fragments;

  /** Takes in what there is; answers whether there may be more. */
  boolean receive(ReadableByteChannel channel) throws IOException {
    makeRoom();
    return channel.read(in) >= 0;
  }

  /** The next complete record, valid until more is received; null while there is none. */
  @Nullable ByteBuffer next() {
    while (in.position() - nextMark >= RecordMark.BYTES) {
      int mark = in.getInt(nextMark);
      int length = fragmentLength(mark);
      if (in.position() - nextMark - RecordMark.BYTES < length) {
        return null;
      }
      append(length);
      if (RecordMark.isLast(mark)) {
        ByteBuffer record = in.slice(recordStart, recordEnd - recordStart);
        recordStart = nextMark;
        recordEnd = nextMark;
        fragments = 0;
        return record;
      }
    }
    return null;
  }

  private int fragmentLength(int mark) {
    int length = RecordMark.length(mark);
    int before = recordEnd - recordStart;
    if (length > RECORD_BYTES_MAX - before) {
      throw new XdrException(
          "a record of more than " + RECORD_BYTES_MAX + " bytes: " + ((long) before + length));
    }
    if (fragments >= FRAGMENTS_MAX) {
      throw new XdrException("a record of more than " + FRAGMENTS_MAX + " fragments");
    }
    return length;
  }

  private void append(int length) {
    int data = nextMark + RecordMark.BYTES;
    if (fragments++ == 0) {
      recordStart = data;
      recordEnd = data + length;
    } else {
      in.put(recordEnd, in, data, length);
      recordEnd += length;
    }
    nextMark = data + length;
  }

  /** Makes room for at least the fragment that has begun to arrive. */
  private void makeRoom() {
    if (recordStart == in.position()) {
      moveTo(in);
      return;
    }
    int wanted = nextMark + RecordMark.BYTES;
    if (in.position() >= wanted) {
      wanted += fragmentLength(in.getInt(nextMark));
    }
    if (wanted <= in.capacity() && in.hasRemaining()) {
      return;
    }
    int needed = wanted - recordStart;
    boolean fits = needed <= in.capacity() && recordStart > 0;
    int capacity = Math.max(needed, 2 * in.capacity());
    moveTo(fits ? in : ByteBuffer.allocateDirect(capacity));
  }

  /** Moves what is still needed to the beginning of a buffer, which may be the same one. */
  private void moveTo(ByteBuffer target) {
    int from = recordStart;
    int length = in.position() - from;
    target.put(0, in, from, length);
    target.clear().position(length);
    in = target;
    recordStart = 0;
    recordEnd -= from;
    nextMark -= from;
  }
}
