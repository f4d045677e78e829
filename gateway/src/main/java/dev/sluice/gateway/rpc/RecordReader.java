package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.MemoryBudget;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.net.TcpSocket;
import dev.sluice.nfs.rpc.RecordMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes records from a connection. Small ones are read many at a time into one buffer, and stay
 * there while they are served; a large one is read straight into a buffer of its own. For one
 * thread.
 */
final class RecordReader {
  /** A request of 1 MiB and what may stand around it. */
  static final int RECORD_BYTES_MAX = (1 << 20) + (8 << 10);

  /** More fragments than any client cuts a record into. */
  private static final int FRAGMENTS_MAX = 1_024;

  private static final int INPUT_BYTES = 64 << 10;

  /**
   * After a large record another is likely: of it only what stands before the contents is read
   * here, because what is read here has to be copied.
   */
  private static final int AFTER_LARGE_BYTES = 512;

  /** What has to come of a record within a socket's patience, but for so many times. */
  private static final int PROGRESS_BYTES_MIN = 64 << 10;

  private static final int SLOW_RECEIVES_MAX = 2;

  private final TcpSocket socket;
  private final BufferPool pool;
  private final MemoryBudget.Account account;
  private final RpcCounters counters;
  private final Waiting waiting;
  private final NativeBuffer input;

  /** The input buffer again, without the position and limit of the record that is being served. */
  private final ByteBuffer marks;

  private int start;
  private int end;
  private boolean lastWasLarge;

  /** Is told before the reader waits, so that nobody else waits for it. */
  interface Waiting {
    /** The reader is about to wait for the client. */
    void beforeReceive() throws IOException;

    /** The reader is about to wait for memory. */
    void beforeWaitingForMemory();
  }

  RecordReader(
      TcpSocket socket,
      BufferPool pool,
      MemoryBudget.Account account,
      RpcCounters counters,
      Waiting waiting) {
    this.socket = socket;
    this.pool = pool;
    this.account = account;
    this.counters = counters;
    this.waiting = waiting;
    this.input = pool.take(INPUT_BYTES);
    this.marks = input.bytes().duplicate();
  }

  /** Whether the next record is here already, whole. */
  boolean hasRecord() {
    int available = end - start - RecordMark.BYTES;
    if (available < 0) {
      return false;
    }
    int mark = marks.getInt(start);
    return RecordMark.isLast(mark) && RecordMark.length(mark) <= available;
  }

  /** Whether this buffer is where small records stand, and not one of its own. */
  @SuppressWarnings("ReferenceEquality") // This very buffer.
  boolean isInput(NativeBuffer buffer) {
    return buffer == input;
  }

  /**
   * The next record, between the buffer's position and its limit. A buffer of its own is the
   * caller's, and so is what the account holds for it: its capacity. The input buffer is the
   * caller's until the next call.
   *
   * @return null when the client has ended
   */
  @Nullable NativeBuffer next() throws IOException {
    if (!fill(RecordMark.BYTES)) {
      return null;
    }
    int mark = marks.getInt(start);
    int length = RecordMark.length(mark);
    if (length > RECORD_BYTES_MAX) {
      throw new MalformedRecordException(
          "a record has at most " + RECORD_BYTES_MAX + " bytes, this one has " + length);
    }
    if (!RecordMark.isLast(mark)) {
      return assemble();
    }
    if (RecordMark.BYTES + length > INPUT_BYTES) {
      start += RecordMark.BYTES;
      NativeBuffer large = takeLarge(length);
      return readInto(large, 0, length);
    }
    if (!fill(RecordMark.BYTES + length)) {
      throw new MalformedRecordException("the connection ended within a record");
    }
    int from = start + RecordMark.BYTES;
    start = from + length;
    input.bytes().clear().limit(start).position(from);
    return input;
  }

  private NativeBuffer assemble() throws IOException {
    NativeBuffer whole = takeLarge(RECORD_BYTES_MAX);
    boolean complete = false;
    try {
      int total = 0;
      for (int fragments = 1; ; fragments++) {
        if (!fill(RecordMark.BYTES)) {
          throw new MalformedRecordException("the connection ended within a record");
        }
        int mark = marks.getInt(start);
        int length = RecordMark.length(mark);
        if (length > RECORD_BYTES_MAX - total || fragments > FRAGMENTS_MAX) {
          throw new MalformedRecordException(
              "a record has at most "
                  + RECORD_BYTES_MAX
                  + " bytes in "
                  + FRAGMENTS_MAX
                  + " fragments, this one has "
                  + (total + (long) length)
                  + " in "
                  + fragments
                  + " and more");
        }
        start += RecordMark.BYTES;
        readRest(whole, total, length);
        total += length;
        if (RecordMark.isLast(mark)) {
          complete = true;
          whole.bytes().position(0).limit(total);
          return whole;
        }
      }
    } finally {
      if (!complete) {
        giveBack(whole);
      }
    }
  }

  private NativeBuffer takeLarge(int bytes) throws IOException {
    int capacity = BufferPool.capacityFor(bytes);
    if (!account.tryTake(capacity)) {
      waiting.beforeWaitingForMemory();
      if (!account.take(capacity)) {
        throw new IOException("the server ends");
      }
    }
    return pool.take(bytes);
  }

  private void giveBack(NativeBuffer large) {
    account.end(large.capacity());
    pool.giveBack(large);
  }

  private NativeBuffer readInto(NativeBuffer large, int at, int length) throws IOException {
    boolean complete = false;
    try {
      readRest(large, at, length);
      complete = true;
    } finally {
      if (!complete) {
        giveBack(large);
      }
    }
    large.bytes().position(0).limit(length);
    return large;
  }

  /** Moves what is here of a fragment, and waits for the rest of it. */
  private void readRest(NativeBuffer large, int at, int length) throws IOException {
    lastWasLarge = true;
    int here = Math.min(length, end - start);
    large.bytes().put(at, marks, start, here);
    start += here;
    int missing = length - here;
    if (missing > 0) {
      waiting.beforeReceive();
    }
    int slowReceives = 0;
    while (missing > 0) {
      int received = socket.receiveAll(large, at + length - missing, missing);
      if (received == 0) {
        throw new MalformedRecordException("the connection ended within a record");
      }
      if (received == TcpSocket.WOULD_WAIT
          || (received < Math.min(missing, PROGRESS_BYTES_MIN)
              && ++slowReceives > SLOW_RECEIVES_MAX)) {
        throw new MalformedRecordException("a record came too slowly");
      }
      counters.received(received);
      missing -= received;
    }
  }

  /** Waits until so many bytes are here; false when the client ended before the first. */
  private boolean fill(int bytes) throws IOException {
    if (end - start >= bytes) {
      return true;
    }
    if (start == end) {
      start = 0;
      end = 0;
    } else if (start + bytes > INPUT_BYTES) {
      marks.put(0, marks, start, end - start);
      end -= start;
      start = 0;
    }
    while (end - start < bytes) {
      waiting.beforeReceive();
      int room = lastWasLarge ? Math.min(AFTER_LARGE_BYTES, INPUT_BYTES - end) : INPUT_BYTES - end;
      int received = socket.receive(input, end, Math.max(room, bytes - (end - start)));
      lastWasLarge = false;
      if (received == 0) {
        if (start == end) {
          return false;
        }
        throw new MalformedRecordException("the connection ended within a record");
      }
      if (received == TcpSocket.WOULD_WAIT) {
        if (start != end) {
          throw new MalformedRecordException("a record came too slowly");
        }
      } else {
        counters.received(received);
        end += received;
      }
    }
    return true;
  }

  void close() {
    pool.giveBack(input);
  }
}
