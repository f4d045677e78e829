package dev.sluice.gateway.net;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A socket that connections are made to. One thread accepts; any may {@link #shutdown} it. */
public final class TcpListener {
  private static final int BACKLOG = 1024;

  private final int descriptor;
  private final InetSocketAddress address;
  private boolean closed;

  private TcpListener(int descriptor, InetSocketAddress address) {
    this.descriptor = descriptor;
    this.address = address;
  }

  /** How connections end that are closed here, or whose process dies. */
  public enum Ending {
    /** With what was sent last, and so that the system remembers them for a minute. */
    IN_ORDER,
    /**
     * At once, and so that nothing is left of them. Where an address comes back to a machine,
     * connections of before that the system still knows by the same addresses and ports would have
     * it answer a client, whose connection was with another machine meanwhile, as if it were known.
     */
    WITHOUT_TRACE
  }

  /** Listens on an address; port 0 is any that is free. */
  public static TcpListener open(InetAddress address, int port, Ending ending) throws IOException {
    int descriptor = SocketCalls.socket(SocketAddresses.family(address));
    String place = new InetSocketAddress(address, port).toString();
    check(descriptor, "socket for " + place);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment yes = arena.allocateFrom(JAVA_INT, 1);
      check(
          SocketCalls.setOption(descriptor, SocketCalls.SOL_SOCKET, SocketCalls.SO_REUSEADDR, yes),
          "SO_REUSEADDR on " + place);
      if (ending == Ending.WITHOUT_TRACE) {
        // Connections have it from the socket that they are accepted on.
        MemorySegment onAndNoTime = arena.allocateFrom(JAVA_INT, 1, 0);
        check(
            SocketCalls.setOption(
                descriptor, SocketCalls.SOL_SOCKET, SocketCalls.SO_LINGER, onAndNoTime),
            "SO_LINGER on " + place);
      }
      if (SocketAddresses.family(address) == SocketCalls.AF_INET6) {
        // Otherwise [::] would take 0.0.0.0's port, and nobody could listen on both.
        check(
            SocketCalls.setOption(
                descriptor, SocketCalls.IPPROTO_IPV6, SocketCalls.IPV6_V6ONLY, yes),
            "IPV6_V6ONLY on " + place);
      }
      check(
          SocketCalls.bind(descriptor, SocketAddresses.encode(address, port, arena)),
          "cannot listen on " + place);
      check(SocketCalls.listen(descriptor, BACKLOG), "cannot listen on " + place);
      MemorySegment bound = arena.allocate(SocketAddresses.BYTES_MAX, 8);
      MemorySegment length = arena.allocateFrom(JAVA_INT, SocketAddresses.BYTES_MAX);
      check(SocketCalls.socketName(descriptor, bound, length), "the address of " + place);
      return new TcpListener(descriptor, SocketAddresses.decode(bound));
    } catch (IOException e) {
      SocketCalls.close(descriptor);
      throw e;
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Waits for the next connection.
   *
   * @param patienceMillis how long a receive waits for bytes before it says that none came
   */
  public TcpSocket accept(int patienceMillis) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment peer = arena.allocate(SocketAddresses.BYTES_MAX, 8);
      MemorySegment length = arena.allocateFrom(JAVA_INT, SocketAddresses.BYTES_MAX);
      int accepted = SocketCalls.accept(descriptor, peer, length);
      check(accepted, "accept on " + address);
      MemorySegment yes = arena.allocateFrom(JAVA_INT, 1);
      MemorySegment patience =
          arena.allocateFrom(JAVA_LONG, patienceMillis / 1000, patienceMillis % 1000 * 1000L);
      try {
        InetSocketAddress from = SocketAddresses.decode(peer);
        check(
            SocketCalls.setOption(accepted, SocketCalls.IPPROTO_TCP, SocketCalls.TCP_NODELAY, yes),
            "TCP_NODELAY for " + from);
        check(
            SocketCalls.setOption(accepted, SocketCalls.SOL_SOCKET, SocketCalls.SO_KEEPALIVE, yes),
            "SO_KEEPALIVE for " + from);
        check(
            SocketCalls.setOption(
                accepted, SocketCalls.SOL_SOCKET, SocketCalls.SO_RCVTIMEO, patience),
            "SO_RCVTIMEO for " + from);
        MemorySegment own = arena.allocate(SocketAddresses.BYTES_MAX, 8);
        MemorySegment ownLength = arena.allocateFrom(JAVA_INT, SocketAddresses.BYTES_MAX);
        check(
            SocketCalls.socketName(accepted, own, ownLength),
            "the address that " + from + " found");
        TcpLink link = new TcpLink(from, SocketAddresses.decode(own));
        return new TcpSocket(accepted, link, patienceMillis);
      } catch (IOException e) {
        SocketCalls.close(accepted);
        throw e;
      }
    }
  }

  /** Ends the accept that waits, and every later one, with an exception. */
  public synchronized void shutdown() {
    if (!closed) {
      SocketCalls.shutdown(descriptor, SocketCalls.SHUT_RDWR);
    }
  }

  /** Gives the descriptor back; only the thread that accepts may do so, when it is done. */
  public synchronized void close() {
    if (!closed) {
      closed = true;
      SocketCalls.close(descriptor);
    }
  }

  private static void check(int answer, String what) throws IOException {
    if (answer < 0) {
      throw SocketCalls.failure(what, answer);
    }
  }
}
