package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.net.TcpSocket;
import dev.sluice.gateway.posix.Pipe;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is to be sent on one connection. Whoever adds something sends what the system takes at once,
 * unless somebody is at it already; nobody ever waits for the client here. What the system does not
 * take stays until there is room, which the flusher or the connection's reader finds out.
 */
final class OutputQueue {
  private final TcpSocket socket;
  private final BufferPool pool;
  private final PipePool.Share pipes;
  private final Consumer<Holding> whenAnswered;
  private final OutputFlusher flusher;
  private final RpcCounters counters;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition nobodySends = lock.newCondition();
  private final ArrayDeque<Piece> pieces = new ArrayDeque<>();

  /** Somebody is sending, outside the lock, and will look for more. */
  private boolean sending;

  /** The system took no more; somebody who waits for room calls {@link #resume}. */
  private volatile boolean blocked;

  private boolean watched;
  private boolean closed;
  private final AtomicLong pendingBytes = new AtomicLong();
  private volatile long lastProgressNanos;

  /**
   * Part of a buffer, with what is in a pipe somewhere in between, and what its request holds until
   * all of it is sent.
   */
  private static final class Piece {
    final NativeBuffer buffer;
    final int end;
    final @Nullable Pipe pipe;
    final int pipeAt;
    final @Nullable Holding holding;
    int position;

    Piece(NativeBuffer buffer, int position, int end, @Nullable Holding holding) {
      this(buffer, position, end, ReplyContents.COPIED, holding);
    }

    Piece(
        NativeBuffer buffer,
        int position,
        int end,
        ReplyContents contents,
        @Nullable Holding holding) {
      this.buffer = buffer;
      this.position = position;
      this.end = end;
      this.pipe = contents.takePipe();
      this.pipeAt = contents.position();
      this.holding = holding;
    }

    int bytesLeft() {
      return end - position + (pipe == null ? 0 : pipe.bytes());
    }

    /** Sends what the system takes at once, or {@link TcpSocket#WOULD_WAIT}. */
    int sendBy(TcpSocket socket) throws IOException {
      int sent;
      if (pipe != null && pipe.bytes() > 0) {
        if (position == pipeAt) {
          return socket.send(pipe, position < end);
        }
        sent = socket.sendBeforeMore(buffer, position, pipeAt - position);
      } else {
        sent = socket.send(buffer, position, end - position);
      }
      position += Math.max(0, sent);
      return sent;
    }
  }

  /**
   * @param whenAnswered is told when a request's reply was sent, or dropped
   */
  OutputQueue(
      TcpSocket socket,
      BufferPool pool,
      PipePool.Share pipes,
      OutputFlusher flusher,
      RpcCounters counters,
      Consumer<Holding> whenAnswered) {
    this.socket = socket;
    this.pool = pool;
    this.pipes = pipes;
    this.flusher = flusher;
    this.counters = counters;
    this.whenAnswered = whenAnswered;
  }

  /** Sends a buffer of replies that hold nothing any more; for the reader, which looks after it. */
  void addFromReader(NativeBuffer buffer, int end) {
    add(new Piece(buffer, 0, end, null));
  }

  /** How the contents of a large reply get here. */
  ReplyContents contents() {
    return new ReplyContents(pipes);
  }

  /** Sends the reply of one request; for the reader, which looks after it. */
  void addFromReader(NativeBuffer buffer, int end, ReplyContents contents, Holding holding) {
    add(new Piece(buffer, 0, end, contents, holding));
  }

  /** Sends replies that hold nothing any more; for whoever goes on to other things. */
  void addFromWorker(NativeBuffer buffer, int start, int end) {
    add(new Piece(buffer, start, end, null));
    if (blocked) {
      leaveToFlusher();
    }
  }

  /** Sends the reply of one request; for whoever goes on to other things. */
  void addFromWorker(NativeBuffer buffer, int end, ReplyContents contents, Holding holding) {
    add(new Piece(buffer, 0, end, contents, holding));
    if (blocked) {
      leaveToFlusher();
    }
  }

  private void add(Piece piece) {
    boolean refused;
    lock.lock();
    try {
      refused = closed;
      if (!refused) {
        pieces.addLast(piece);
        pendingBytes.addAndGet(piece.bytesLeft());
        if (sending || blocked) {
          return;
        }
        sending = true;
      }
    } finally {
      lock.unlock();
    }
    if (refused) {
      release(piece);
    } else {
      sendAll();
    }
  }

  /** There may be room again. */
  void resume() {
    lock.lock();
    try {
      if (closed || sending || !blocked) {
        return;
      }
      blocked = false;
      sending = true;
    } finally {
      lock.unlock();
    }
    sendAll();
  }

  /** Sends until nothing is left or the system takes no more; only the one who set sending. */
  private void sendAll() {
    Piece piece = head();
    while (piece != null) {
      int sent;
      try {
        sent = piece.sendBy(socket);
      } catch (IOException _) {
        // The client is gone: the reader is told, and closes.
        fail();
        return;
      }
      piece = sent == TcpSocket.WOULD_WAIT ? stop() : advance(piece, sent);
    }
  }

  private @Nullable Piece head() {
    lock.lock();
    try {
      return headOrStop();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Piece headOrStop() {
    Piece head = pieces.peekFirst();
    if (head == null) {
      sending = false;
      nobodySends.signalAll();
    }
    return head;
  }

  private @Nullable Piece stop() {
    lock.lock();
    try {
      blocked = true;
      sending = false;
      if (lastProgressNanos == 0) {
        lastProgressNanos = System.nanoTime();
      }
      nobodySends.signalAll();
      return null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Piece advance(Piece piece, int sent) {
    counters.sent(sent);
    boolean done = piece.bytesLeft() == 0;
    if (done) {
      release(piece);
    }
    lock.lock();
    try {
      pendingBytes.addAndGet(-sent);
      lastProgressNanos = 0;
      if (done) {
        pieces.removeFirst();
      }
      return headOrStop();
    } finally {
      lock.unlock();
    }
  }

  private void fail() {
    lock.lock();
    try {
      closed = true;
      sending = false;
      nobodySends.signalAll();
    } finally {
      lock.unlock();
    }
    socket.shutdown();
    dropAll();
  }

  private void release(Piece piece) {
    pool.giveBack(piece.buffer);
    if (piece.pipe != null) {
      pipes.giveBack(piece.pipe);
    }
    if (piece.holding != null) {
      piece.holding.end();
      whenAnswered.accept(piece.holding);
    }
  }

  private void dropAll() {
    while (true) {
      Piece piece;
      lock.lock();
      try {
        piece = pieces.pollFirst();
        if (piece == null) {
          pendingBytes.set(0);
          blocked = false;
          return;
        }
      } finally {
        lock.unlock();
      }
      release(piece);
    }
  }

  /** Whether it waits for room. */
  boolean isBlocked() {
    return blocked;
  }

  /** How much was not taken by the system yet. */
  long pendingBytes() {
    return pendingBytes.get();
  }

  /** How long nothing went out although something waits. */
  long stalledNanos(long nowNanos) {
    long since = lastProgressNanos;
    return blocked && since != 0 ? nowNanos - since : 0;
  }

  TcpSocket socket() {
    return socket;
  }

  /** Has the flusher wait for room. */
  void leaveToFlusher() {
    lock.lock();
    try {
      if (!blocked || watched) {
        return;
      }
      watched = true;
    } finally {
      lock.unlock();
    }
    flusher.watch(this);
  }

  /** The flusher looks whether it has to go on waiting for it. */
  boolean isStillWatched() {
    lock.lock();
    try {
      watched = blocked && !closed;
      return watched;
    } finally {
      lock.unlock();
    }
  }

  /** Drops what was not sent. When it returns, nobody is using the socket to send any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      while (sending) {
        nobodySends.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
    dropAll();
  }
}
