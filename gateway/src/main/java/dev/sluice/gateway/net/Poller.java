package dev.sluice.gateway.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Waits until one of several sockets can go on. For one thread, but for {@link #wakeUp}. */
public final class Poller implements AutoCloseable {
  static final int ENTRY_BYTES = 8;
  private static final int EVENTS_OFFSET = 4;
  private static final int ANSWER_OFFSET = 6;
  private static final int COUNTER_BYTES = 8;

  private final int event;
  private final MemorySegment counter = Arena.ofAuto().allocate(COUNTER_BYTES, 8);
  private final MemorySegment one = Arena.ofAuto().allocate(COUNTER_BYTES, 8);
  private MemorySegment entries = Arena.ofAuto().allocate(16 * ENTRY_BYTES, 8);
  private int count;

  public Poller() throws IOException {
    event = SocketCalls.event();
    if (event < 0) {
      throw SocketCalls.failure("eventfd", event);
    }
    one.set(JAVA_INT, 0, 1);
    clear();
  }

  /** Begins anew: no socket is waited for. */
  public void clear() {
    count = 0;
    add(event, SocketCalls.POLLIN);
  }

  /** Waits for room to send as well. The answer's place is 0 for the first added, and so on. */
  public void addForSending(TcpSocket socket) {
    add(socket.descriptor(), SocketCalls.POLLOUT);
  }

  private void add(int descriptor, short events) {
    long offset = (long) count * ENTRY_BYTES;
    if (offset == entries.byteSize()) {
      MemorySegment larger = Arena.ofAuto().allocate(2 * offset, 8);
      entries = larger.copyFrom(entries);
    }
    entries.set(JAVA_INT, offset, descriptor);
    entries.set(JAVA_SHORT, offset + EVENTS_OFFSET, events);
    entries.set(JAVA_SHORT, offset + ANSWER_OFFSET, (short) 0);
    count++;
  }

  /** Waits until a socket can go on, somebody wakes it up, or the time is over. */
  public void await(int timeoutMillis) throws IOException {
    int ready = SocketCalls.poll(entries, count, timeoutMillis);
    if (ready < 0) {
      throw SocketCalls.failure("poll of " + count + " sockets", ready);
    }
    if (entries.get(JAVA_SHORT, ANSWER_OFFSET) != 0) {
      SocketCalls.read(event, counter);
    }
  }

  /** Whether the socket at this place can go on, or has failed. */
  public boolean isReady(int place) {
    return entries.get(JAVA_SHORT, (place + 1L) * ENTRY_BYTES + ANSWER_OFFSET) != 0;
  }

  /** Ends the wait, or the next one; any thread. */
  public void wakeUp() {
    SocketCalls.write(event, one);
  }

  /** Waits until one socket can receive or send: whether it can send. */
  public static boolean awaitEither(TcpSocket socket, boolean receive, int timeoutMillis)
      throws IOException {
    int events = SocketCalls.POLLOUT | (receive ? SocketCalls.POLLIN : 0);
    return (awaitOne(socket, events, timeoutMillis) & ~SocketCalls.POLLIN) != 0;
  }

  /** Waits until one socket can receive: whether it can, or has failed. */
  static boolean awaitInput(TcpSocket socket, int timeoutMillis) throws IOException {
    return awaitOne(socket, SocketCalls.POLLIN, timeoutMillis) != 0;
  }

  /**
   * Whether the other side has ended or is gone, whatever it sent before and is still unread.
   *
   * @param entry {@link #ENTRY_BYTES} bytes to ask with
   */
  static boolean hasEnded(TcpSocket socket, MemorySegment entry) {
    entry.set(JAVA_INT, 0, socket.descriptor());
    entry.set(JAVA_SHORT, EVENTS_OFFSET, SocketCalls.POLLRDHUP);
    entry.set(JAVA_SHORT, ANSWER_OFFSET, (short) 0);
    return SocketCalls.poll(entry, 1, 0) > 0;
  }

  private static int awaitOne(TcpSocket socket, int events, int timeoutMillis) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment entry = arena.allocate(ENTRY_BYTES, 8);
      entry.set(JAVA_INT, 0, socket.descriptor());
      entry.set(JAVA_SHORT, EVENTS_OFFSET, (short) events);
      int ready = SocketCalls.poll(entry, 1, timeoutMillis);
      if (ready < 0) {
        throw SocketCalls.failure("poll of " + socket.peer(), ready);
      }
      return entry.get(JAVA_SHORT, ANSWER_OFFSET);
    }
  }

  @Override
  public void close() {
    SocketCalls.close(event);
  }
}
