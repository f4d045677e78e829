package dev.sluice.gateway.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Has the other end of a connection find out that this end is gone, with the machine that it was
 * on: an acknowledgement of nothing, as if from there, is answered with one of its own, to the
 * address that is here by now, where nobody knows the connection and says so (RFC 9293, section
 * 3.10.7). Whoever knows it, because it is alive, takes both for old packets and goes on. Not safe
 * for use by many threads.
 */
public final class TcpNudge implements AutoCloseable {
  private static final int IPV4_HEADER_BYTES = 20;
  private static final int IPV6_HEADER_BYTES = 40;
  private static final int TCP_BYTES = 20;
  private static final int HOPS = 64;
  private static final int ACK = 0x10;
  private static final int WINDOW = 1_024;
  private static final int NONE = -1;

  /** The socket for each kind of address; {@value #NONE} where there is none. */
  private final int ipv4;

  private final int ipv6;

  private TcpNudge(int ipv4, int ipv6) {
    this.ipv4 = ipv4;
    this.ipv6 = ipv6;
  }

  /** Opens what it takes, which not everybody may (CAP_NET_RAW). */
  public static TcpNudge open() throws IOException {
    int ipv4 = SocketCalls.packetSocket(SocketCalls.AF_INET);
    if (ipv4 < 0) {
      throw SocketCalls.failure("a socket for packets", ipv4);
    }
    return new TcpNudge(ipv4, Math.max(NONE, SocketCalls.packetSocket(SocketCalls.AF_INET6)));
  }

  /** Sends one. What the network cannot take just now is lost, as packets may be. */
  public void send(TcpLink link) throws IOException {
    InetAddress peer = link.peer().getAddress();
    int descriptor = peer instanceof Inet6Address ? ipv6 : ipv4;
    if (descriptor == NONE) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      byte[] packet = packet(link);
      MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, packet);
      long answer = SocketCalls.sendTo(descriptor, bytes, SocketAddresses.encode(peer, 0, arena));
      if (answer < 0 && answer != -SocketCalls.EAGAIN) {
        throw SocketCalls.failure("a packet to " + peer, answer);
      }
    }
  }

  /** The whole packet; of IPv4's header the system fills in what is zero here. */
  static byte[] packet(TcpLink link) {
    byte[] from = link.own().getAddress().getAddress();
    byte[] to = link.peer().getAddress().getAddress();
    boolean isIpv6 = to.length > Integer.BYTES;
    int header = isIpv6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES;
    ByteBuffer packet = ByteBuffer.allocate(header + TCP_BYTES);
    if (isIpv6) {
      packet.putInt(6 << 28).putShort((short) TCP_BYTES);
      packet.put((byte) SocketCalls.IPPROTO_TCP).put((byte) HOPS);
    } else {
      packet.putShort((short) 0x4500).putShort((short) packet.capacity()).putInt(0);
      packet.put((byte) HOPS).put((byte) SocketCalls.IPPROTO_TCP).putShort((short) 0);
    }
    packet.put(from).put(to);
    packet.putShort((short) link.own().getPort()).putShort((short) link.peer().getPort());
    packet.putInt(0).putInt(0);
    packet.put((byte) ((TCP_BYTES / Integer.BYTES) << 4)).put((byte) ACK).putShort((short) WINDOW);
    long sum =
        words(packet, header, TCP_BYTES)
            + words(ByteBuffer.wrap(from), 0, from.length)
            + words(ByteBuffer.wrap(to), 0, to.length)
            + SocketCalls.IPPROTO_TCP
            + TCP_BYTES;
    packet.putShort(header + 16, (short) ~folded(sum));
    return packet.array();
  }

  /** The sum of words of two bytes. */
  static long words(ByteBuffer bytes, int start, int length) {
    long sum = 0;
    for (int at = start; at < start + length; at += Short.BYTES) {
      sum += Short.toUnsignedInt(bytes.getShort(at));
    }
    return sum;
  }

  /** A sum in which what does not fit into two bytes is added again. */
  static int folded(long sum) {
    long folded = sum;
    while (folded >>> Short.SIZE != 0) {
      folded = (folded & 0xffff) + (folded >>> Short.SIZE);
    }
    return (int) folded;
  }

  @Override
  public void close() {
    SocketCalls.close(ipv4);
    if (ipv6 != NONE) {
      SocketCalls.close(ipv6);
    }
  }
}
