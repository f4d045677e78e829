package dev.sluice.gateway.net;

import dev.sluice.gateway.memory.NativeBuffer;
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

  private final int descriptor;
  private final InetSocketAddress peer;
  private final MemorySegment question = Arena.ofAuto().allocate(Poller.ENTRY_BYTES, 8);
  private boolean closed;

  TcpSocket(int descriptor, InetSocketAddress peer) {
    this.descriptor = descriptor;
    this.peer = peer;
  }

  /** Where it comes from. */
  public InetSocketAddress peer() {
    return peer;
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
    return checked(SocketCalls.receive(descriptor, 0, length, SocketCalls.MSG_TRUNC));
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
    return checked(SocketCalls.receive(descriptor, into.address(offset, length), length, flags));
  }

  private int checked(long answer) throws IOException {
    if (answer >= 0) {
      return (int) answer;
    }
    if (answer == -SocketCalls.EAGAIN) {
      return WOULD_WAIT;
    }
    throw SocketCalls.failure("receive from " + peer, answer);
  }

  /** Sends what the system takes at once: how many bytes, or {@link #WOULD_WAIT}. */
  public int send(NativeBuffer from, int offset, int length) throws IOException {
    long answer =
        SocketCalls.send(
            descriptor,
            from.address(offset, length),
            length,
            SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL);
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
