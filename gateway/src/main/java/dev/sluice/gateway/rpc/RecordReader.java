package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.net.TcpSocket;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.rpc.RecordMark;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Takes records from a connection. Small ones are read many at a time into one buffer, the input,
 * and stay there while they are served. Of a large one only the head is read there; whether the
 * rest is worth a buffer of its own is for the caller to say, who knows by then what it is. For one
 * thread.
 */
final class RecordReader {
  /** What may stand around contents. */
  private static final int AROUND_BYTES = 8 << 10;

  /**
   * A request with as much as one ever moves, and what may stand around it. It is the same whatever
   * clients are told to move: those who were told more before a restart would send a record that is
   * too long again and again.
   */
  static final int RECORD_BYTES_MAX = Nfs3Sizes.TRANSFER_BYTES_MAX + AROUND_BYTES;

  /** A request with as much as one usually moves. */
  static final int USUAL_RECORD_BYTES = Nfs3Sizes.TRANSFER_BYTES_USUAL + AROUND_BYTES;

  /** What tells of every call what it wants: its head, a handle and some numbers. */
  static final int HEAD_BYTES = 1 << 10;

  /** More fragments than any client cuts a record into. */
  private static final int FRAGMENTS_MAX = 1_024;

  private static final int INPUT_BYTES = 64 << 10;

  /**
   * After a large record another is likely: of it only the head is read here, because what is read
   * here has to be copied.
   */
  private static final int AFTER_LARGE_BYTES = RecordMark.BYTES + HEAD_BYTES;

  /** What has to come of a record within a socket's patience, but for so many times. */
  private static final int PROGRESS_BYTES_MIN = 64 << 10;

  /** However long a record is, it takes so many times a socket's patience at most. */
  private static final int PROGRESS_PARTS = 16;

  private static final int SLOW_RECEIVES_MAX = 2;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final TcpSocket socket;
  private final BufferPool pool;
  private final RpcCounters counters;
  private final Patience patience;
  private final Waiting waiting;

  /** Where small records and the heads of large ones stand; none while the client is silent. */
  private @Nullable NativeBuffer input;

  /** The input again, without the position and limit of the record that is being served. */
  private ByteBuffer marks = NOTHING;

  private int start;
  private int end;

  /** The head of a record in fragments, put together; else none. */
  private @Nullable NativeBuffer assembled;

  /** What is still to come of the fragment under way, on the wire or in the input. */
  private int fragmentLeft;

  private boolean fragmentIsLast = true;
  private int fragments;
  private int recordBytes;

  /** How long the record may be. */
  private int recordBytesMax = RECORD_BYTES_MAX;

  private boolean lastWasLarge;

  /**
   * How long a client may take.
   *
   * @param recordNanos from the first byte of a record's head to its last
   * @param idleNanos with nothing to say and nothing to be told
   */
  record Patience(long recordNanos, long idleNanos) {}

  /** Is told before the reader waits, so that nobody else waits for it. */
  interface Waiting {
    /** The reader is about to wait for the client. */
    void beforeReceive() throws IOException;

    /** Whether something is still to be told to the client. */
    boolean hasUnderWay();
  }

  /**
   * A record as far as it is here.
   *
   * @param buffer has it, or its head, between its position and its limit
   * @param isWhole whether this is all of it
   * @param bytesMax how long it is at most
   */
  record Head(NativeBuffer buffer, boolean isWhole, int bytesMax) {}

  RecordReader(
      TcpSocket socket, BufferPool pool, RpcCounters counters, Patience patience, Waiting waiting) {
    this.socket = socket;
    this.pool = pool;
    this.counters = counters;
    this.patience = patience;
    this.waiting = waiting;
  }

  /**
   * Goes on where another left off that reads no more. A record that stands in the other's input
   * stays there.
   */
  RecordReader(RecordReader other, Waiting waiting) {
    this(other.socket, other.pool, other.counters, other.patience, waiting);
    if (other.end > other.start) {
      inputBuffer();
      end = other.end - other.start;
      marks.put(0, other.marks, other.start, end);
    }
    lastWasLarge = other.lastWasLarge;
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

  /** Whether there is something to read. */
  boolean hasInput() throws IOException {
    return end > start || socket.awaitInput(0);
  }

  /**
   * The next record, whole or its head. What is not whole is then asked for with {@link #readRest}
   * or passed over with {@link #skipRest}. The buffer is good until the next call here.
   *
   * @return null when the client has ended, or had nothing to say for too long
   */
  @Nullable Head next() throws IOException {
    dropAssembled();
    if (!fill(RecordMark.BYTES)) {
      return null;
    }
    fragments = 0;
    recordBytes = 0;
    recordBytesMax = RECORD_BYTES_MAX;
    nextFragment();
    if (!fragmentIsLast) {
      return assembleHead();
    }
    NativeBuffer here = inputBuffer();
    int headBytes = fragmentLeft;
    boolean isWhole = RecordMark.BYTES + fragmentLeft <= INPUT_BYTES;
    if (!isWhole) {
      headBytes = HEAD_BYTES;
      lastWasLarge = true;
    }
    need(headBytes);
    here.bytes().clear().limit(start + headBytes).position(start);
    if (isWhole) {
      start += headBytes;
      fragmentLeft = 0;
    }
    return new Head(here, isWhole, recordBytes);
  }

  /** Begins the next fragment, whose mark is here. */
  private void nextFragment() throws IOException {
    int mark = marks.getInt(start);
    start += RecordMark.BYTES;
    int length = RecordMark.length(mark);
    fragments++;
    if (length > recordBytesMax - recordBytes || fragments > FRAGMENTS_MAX) {
      throw new MalformedRecordException(
          "a record has at most "
              + recordBytesMax
              + " bytes in "
              + FRAGMENTS_MAX
              + " fragments, this one has "
              + (recordBytes + (long) length)
              + " in "
              + fragments);
    }
    recordBytes += length;
    fragmentLeft = length;
    fragmentIsLast = RecordMark.isLast(mark);
  }

  /** Puts together what comes in fragments, up to the length of a head. */
  private Head assembleHead() throws IOException {
    NativeBuffer head = pool.take(HEAD_BYTES);
    assembled = head;
    int length = 0;
    while (length < HEAD_BYTES && hasMoreOfRecord()) {
      int part = Math.min(fragmentLeft, HEAD_BYTES - length);
      need(part);
      head.bytes().put(length, marks, start, part);
      start += part;
      fragmentLeft -= part;
      length += part;
    }
    head.bytes().position(0).limit(length);
    boolean isWhole = !hasMoreOfRecord();
    return new Head(head, isWhole, isWhole ? length : RECORD_BYTES_MAX);
  }

  /**
   * A record of which the head was read and something is known: where it comes in fragments, only
   * their last tells how long it is, and whoever says that there is little to write needs no room
   * for the most that there can be.
   *
   * @param contentsBytes how much there is to write
   */
  Head expecting(Head head, int contentsBytes) {
    if (assembled == null
        || head.isWhole()
        || contentsBytes > Nfs3Sizes.TRANSFER_BYTES_USUAL
        || recordBytes > USUAL_RECORD_BYTES) {
      return head;
    }
    recordBytesMax = USUAL_RECORD_BYTES;
    return new Head(head.buffer(), false, USUAL_RECORD_BYTES);
  }

  /** Goes on to the next fragment where one has ended; false at the end of the record. */
  private boolean hasMoreOfRecord() throws IOException {
    while (fragmentLeft == 0) {
      if (fragmentIsLast) {
        return false;
      }
      need(RecordMark.BYTES);
      nextFragment();
    }
    return true;
  }

  /**
   * The whole of a record of which the head was read: in the buffer, from its start to its limit.
   *
   * @param into has room for {@link Head#bytesMax}
   */
  void readRest(NativeBuffer into) throws IOException {
    int length = 0;
    NativeBuffer head = assembled;
    if (head != null) {
      // The caller has read in it; all of it belongs to the record.
      length = head.bytes().limit();
      into.bytes().put(0, head.bytes(), 0, length);
    }
    readRest(into, length);
  }

  /** What is still to come of a record, to this place of a buffer whose limit is then behind it. */
  void readRest(NativeBuffer into, int at) throws IOException {
    int length = at;
    while (hasMoreOfRecord()) {
      int part = fragmentLeft;
      readFragment(into, length, part);
      length += part;
      fragmentLeft = 0;
    }
    into.bytes().position(0).limit(length);
  }

  /** Whether what comes of the record whose head was read is all in one fragment. */
  boolean isInOnePiece() {
    return assembled == null && fragmentIsLast;
  }

  /**
   * The whole of a record in one piece of which the head was read: but for its contents all of it
   * in the buffer, from its start to its limit, and the contents in an empty pipe.
   *
   * @param contentsAt where in the record these begin, within its head
   * @return false when the pipe has no room for all of them: then it has those that came first, the
   *     buffer has what stands before them, and the rest is still to be read
   */
  boolean readAround(NativeBuffer into, int contentsAt, int contentsBytes, Pipe pipe)
      throws IOException {
    into.bytes().put(0, marks, start, contentsAt);
    start += contentsAt;
    fragmentLeft -= contentsAt;
    int here = Math.min(contentsBytes, end - start);
    ByteBuffer first = marks.duplicate().limit(start + here).position(start);
    while (first.hasRemaining()) {
      if (pipe.put(first, SystemCalls.ofThisThread()) <= 0) {
        throw new IOException("nothing can be put into a pipe");
      }
    }
    start += here;
    fragmentLeft -= here;
    int missing = contentsBytes - here;
    Progress progress = new Progress(missing);
    while (missing > 0) {
      waiting.beforeReceive();
      int received = socket.receive(pipe, missing);
      if (received == TcpSocket.NO_ROOM) {
        return false;
      }
      progress.check(received, missing);
      missing -= received;
      fragmentLeft -= received;
    }
    readRest(into, contentsAt);
    return true;
  }

  /** Moves what is here of a fragment, and waits for the rest of it. */
  private void readFragment(NativeBuffer into, int at, int length) throws IOException {
    int here = Math.min(length, end - start);
    into.bytes().put(at, marks, start, here);
    start += here;
    int missing = length - here;
    Progress progress = new Progress(missing);
    while (missing > 0) {
      waiting.beforeReceive();
      int received = socket.receiveAll(into, at + length - missing, missing);
      progress.check(received, missing);
      missing -= received;
    }
  }

  /** Passes over what was not read of a record. */
  void skipRest() throws IOException {
    Progress progress = new Progress(fragmentLeft);
    while (hasMoreOfRecord()) {
      int here = Math.min(fragmentLeft, end - start);
      start += here;
      fragmentLeft -= here;
      if (fragmentLeft > 0) {
        waiting.beforeReceive();
        int skipped = socket.skip(fragmentLeft);
        progress.check(skipped, fragmentLeft);
        fragmentLeft -= skipped;
      }
    }
  }

  /** Gives up clients that send a large record too slowly: it may hold memory meanwhile. */
  private final class Progress {
    private final int leastBytes;
    private long sinceNanos = System.nanoTime();
    private long receivedSince;
    private int slowTimes;

    Progress(int bytes) {
      leastBytes = Math.max(PROGRESS_BYTES_MIN, bytes / PROGRESS_PARTS);
    }

    void check(int received, int wanted) throws MalformedRecordException {
      if (received == 0) {
        throw new MalformedRecordException("the connection ended within a record");
      }
      if (received == TcpSocket.WOULD_WAIT) {
        throw new MalformedRecordException("a record came too slowly");
      }
      counters.received(received);
      receivedSince += received;
      long nowNanos = System.nanoTime();
      if (received >= wanted || nowNanos - sinceNanos < patience.recordNanos) {
        return;
      }
      if (receivedSince < leastBytes && ++slowTimes > SLOW_RECEIVES_MAX) {
        throw new MalformedRecordException("a record came too slowly");
      }
      sinceNanos = nowNanos;
      receivedSince = 0;
    }
  }

  /** Waits until so many bytes of a record are here. */
  private void need(int bytes) throws IOException {
    if (!fill(bytes)) {
      throw new MalformedRecordException("the connection ended within a record");
    }
  }

  /** Waits until so many bytes are here; false when the client ended before the first. */
  private boolean fill(int bytes) throws IOException {
    if (end - start >= bytes) {
      return true;
    }
    makeRoom(bytes);
    long beganNanos = System.nanoTime();
    while (end - start < bytes) {
      waiting.beforeReceive();
      if (input == null && !awaitFirst(beganNanos)) {
        return false;
      }
      int missing = bytes - (end - start);
      int room = lastWasLarge ? Math.min(AFTER_LARGE_BYTES, INPUT_BYTES - end) : INPUT_BYTES - end;
      int received = socket.receive(inputBuffer(), end, Math.max(room, missing));
      lastWasLarge = false;
      boolean isWithin = start != end || fragmentLeft > 0 || !fragmentIsLast;
      if (received == 0) {
        if (isWithin) {
          throw new MalformedRecordException("the connection ended within a record");
        }
        return false;
      }
      long nowNanos = System.nanoTime();
      if (isWithin && nowNanos - beganNanos > patience.recordNanos) {
        throw new MalformedRecordException("a record came too slowly");
      }
      if (received == TcpSocket.WOULD_WAIT) {
        if (!isWithin) {
          dropInput();
        }
      } else {
        counters.received(received);
        end += received;
        if (!isWithin) {
          beganNanos = nowNanos;
        }
      }
    }
    return true;
  }

  /** Moves what is here to the front if there is no room for so many bytes behind it. */
  private void makeRoom(int bytes) {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (start + bytes > INPUT_BYTES) {
      marks.put(0, marks, start, end - start);
      end -= start;
      start = 0;
    }
  }

  /** Waits without a buffer for a client that has been silent; false when that takes too long. */
  private boolean awaitFirst(long beganNanos) throws IOException {
    int timeoutMillis = (int) Math.max(1, patience.recordNanos / 1_000_000);
    while (!socket.awaitInput(timeoutMillis)) {
      if (System.nanoTime() - beganNanos > patience.idleNanos && !waiting.hasUnderWay()) {
        return false;
      }
      waiting.beforeReceive();
    }
    return true;
  }

  private NativeBuffer inputBuffer() {
    NativeBuffer here = input;
    if (here == null) {
      here = pool.take(INPUT_BYTES);
      input = here;
      marks = here.bytes().duplicate();
    }
    return here;
  }

  private void dropInput() {
    NativeBuffer here = input;
    if (here != null) {
      input = null;
      marks = NOTHING;
      pool.giveBack(here);
    }
  }

  private void dropAssembled() {
    NativeBuffer head = assembled;
    if (head != null) {
      assembled = null;
      pool.giveBack(head);
    }
  }

  /** Gives its buffers back. */
  void close() {
    dropAssembled();
    dropInput();
  }
}
