package dev.sluice.gateway.net;

import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.posix.Pipe;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * A connection. One thread receives and closes; whoever holds the right to send sends; anybody may
 * shut it down, which wakes the thread that receives.
 *
 * <p>A descriptor that is closed may be another connection's a moment later, so the one who closes
 * makes sure that nobody is sending.
 */
public final class TcpSocket {
  /** What a call answers when it would have had to wait. */
  public static final int WOULD_WAIT = -1;

  /** What {@link #receive(Pipe, int)} answers when the pipe has no place for another piece. */
  public static final int NO_ROOM = -2;

  private final int descriptor;
  private final TcpLink link;
  private final InetSocketAddress peer;
  private final int patienceMillis;

  /** Whether a receive may have been told not to wait, for the sake of one who sends meanwhile. */
  private volatile boolean mayReceiveInPassing;

  private final MemorySegment question = Arena.ofAuto().allocate(Poller.ENTRY_BYTES, 8);
  private boolean closed;

  /**
   * @param patienceMillis how long a receive waits, as the system was told
   */
  TcpSocket(int descriptor, TcpLink link, int patienceMillis) {
    this.descriptor = descriptor;
    this.link = link;
    this.peer = link.peer();
    this.patienceMillis = patienceMillis;
  }

  /** Where it comes from. */
  public InetSocketAddress peer() {
    return peer;
  }

  /** Where it comes from, and where it found us. */
  public TcpLink link() {
    return link;
  }

  int descriptor() {
    return descriptor;
  }

  /**
   * Waits for bytes and puts them into a buffer.
   *
   * @return how many; 0 when the other side has ended; {@link #WOULD_WAIT} when none came for as
   *     long as the listener's patience
   */
  public int receive(NativeBuffer into, int offset, int length) throws IOException {
    return receive(into, offset, length, 0);
  }

  /** As {@link #receive}, but waits until all of it is there, for so long at most. */
  public int receiveAll(NativeBuffer into, int offset, int length) throws IOException {
    return receive(into, offset, length, SocketCalls.MSG_WAITALL);
  }

  /**
   * Takes bytes and throws them away; waits for the first of them only.
   *
   * @return as {@link #receive}
   */
  public int skip(int length) throws IOException {
    // With this flag TCP on Linux touches no memory of the caller's.
    return receive(0, length, SocketCalls.MSG_TRUNC);
  }

  /** Waits until there is something to receive, or the other side has ended; false if not. */
  public boolean awaitInput(int timeoutMillis) throws IOException {
    return Poller.awaitInput(this, timeoutMillis);
  }

  /** Whether the other side has ended or is gone, whatever it sent before and is still unread. */
  public synchronized boolean hasEnded() {
    return closed || Poller.hasEnded(this, question);
  }

  private int receive(NativeBuffer into, int offset, int length, int flags) throws IOException {
    return receive(into.address(offset, length), length, flags);
  }

  private int receive(long address, int length, int flags) throws IOException {
    long answer = SocketCalls.receive(descriptor, address, length, flags);
    while (answer == -SocketCalls.EAGAIN && mayReceiveInPassing && awaitInput(patienceMillis)) {
      answer = SocketCalls.receive(descriptor, address, length, flags);
    }
    if (answer >= 0) {
      return (int) answer;
    }
    if (answer == -SocketCalls.EAGAIN) {
      return WOULD_WAIT;
    }
    throw SocketCalls.failure("receive from " + peer, answer);
  }

  /**
   * Waits for bytes and puts them into a pipe, as they came and without copying them.
   *
   * @return as {@link #receive(NativeBuffer, int, int)}, or {@link #NO_ROOM}
   */
  public int receive(Pipe into, int length) throws IOException {
    // A pipe that is full must not be waited for: nobody else empties it.
    long answer =
        SocketCalls.splice(descriptor, into.entrance(), length, SocketCalls.SPLICE_F_NONBLOCK);
    if (answer == -SocketCalls.EAGAIN) {
      // There is nothing yet, or the pipe is full; once there is something, it is the pipe.
      if (!awaitInput(patienceMillis)) {
        return WOULD_WAIT;
      }
      answer =
          SocketCalls.splice(descriptor, into.entrance(), length, SocketCalls.SPLICE_F_NONBLOCK);
      if (answer == -SocketCalls.EAGAIN) {
        return NO_ROOM;
      }
    }
    if (answer < 0) {
      throw SocketCalls.failure("receive from " + peer, answer);
    }
    into.added((int) answer);
    return (int) answer;
  }

  /** Sends what the system takes at once: how many bytes, or {@link #WOULD_WAIT}. */
  public int send(NativeBuffer from, int offset, int length) throws IOException {
    return sent(
        SocketCalls.send(
            descriptor,
            from.address(offset, length),
            length,
            SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL));
  }

  /** The same, where more follows that had better go out together with it. */
  public int sendBeforeMore(NativeBuffer from, int offset, int length) throws IOException {
    return sent(
        SocketCalls.send(
            descriptor,
            from.address(offset, length),
            length,
            SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL | SocketCalls.MSG_MORE));
  }

  /**
   * Sends what is in a pipe, as far as the system takes it at once: how many bytes, or {@link
   * #WOULD_WAIT}.
   *
   * @param hasMore whether more follows
   */
  public int send(Pipe from, boolean hasMore) throws IOException {
    // Of this call alone one cannot say that it is not to wait: that is the socket's to say. A
    // receive that begins meanwhile is told the same, and waits in another way.
    mayReceiveInPassing = true;
    SocketCalls.setFlags(descriptor, SocketCalls.O_NONBLOCK);
    int sent;
    try {
      sent =
          sent(
              SocketCalls.splice(
                  from.exit(), descriptor, from.bytes(), hasMore ? SocketCalls.SPLICE_F_MORE : 0));
    } finally {
      SocketCalls.setFlags(descriptor, 0);
    }
    if (sent == 0) {
      throw new IOException("send to " + peer + ": a pipe has less in it than was put there");
    }
    from.taken(Math.max(0, sent));
    return sent;
  }

  private int sent(long answer) throws IOException {
    if (answer >= 0) {
      return (int) answer;
    }
    if (answer == -SocketCalls.EAGAIN) {
      return WOULD_WAIT;
    }
    throw SocketCalls.failure("send to " + peer, answer);
  }

  /** Ends both directions; the thread that receives sees the end. */
  public synchronized void shutdown() {
    if (!closed) {
      SocketCalls.shutdown(descriptor, SocketCalls.SHUT_RDWR);
    }
  }

  /** Ends receiving; what is to be sent can still be sent. */
  public synchronized void shutdownInput() {
    if (!closed) {
      SocketCalls.shutdown(descriptor, SocketCalls.SHUT_RD);
    }
  }

  /** Gives the descriptor back. */
  public synchronized void close() {
    if (!closed) {
      closed = true;
      SocketCalls.close(descriptor);
    }
  }
}
