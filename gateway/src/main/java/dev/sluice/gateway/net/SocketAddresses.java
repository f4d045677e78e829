package dev.sluice.gateway.net;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Socket addresses as the system lays them out: {@code sockaddr_in} and {@code sockaddr_in6}. */
final class SocketAddresses {
  /** Room for either. */
  static final int BYTES_MAX = 28;

  private static final int IPV4_BYTES = 16;
  private static final int PORT_OFFSET = 2;
  private static final int IPV4_ADDRESS_OFFSET = 4;
  private static final int IPV6_ADDRESS_OFFSET = 8;
  private static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

  private SocketAddresses() {}

  static int family(InetAddress address) {
    return address instanceof Inet6Address ? SocketCalls.AF_INET6 : SocketCalls.AF_INET;
  }

  static MemorySegment encode(InetAddress address, int port, Arena arena) {
    byte[] bytes = address.getAddress();
    boolean ipv6 = address instanceof Inet6Address;
    MemorySegment encoded = arena.allocate(ipv6 ? BYTES_MAX : IPV4_BYTES, 8);
    encoded.set(JAVA_SHORT, 0, (short) family(address));
    encoded.set(PORT, PORT_OFFSET, (short) port);
    int offset = ipv6 ? IPV6_ADDRESS_OFFSET : IPV4_ADDRESS_OFFSET;
    MemorySegment.copy(bytes, 0, encoded, JAVA_BYTE, offset, bytes.length);
    return encoded;
  }

  static InetSocketAddress decode(MemorySegment encoded) {
    boolean ipv6 = encoded.get(JAVA_SHORT, 0) == SocketCalls.AF_INET6;
    int port = Short.toUnsignedInt(encoded.get(PORT, PORT_OFFSET));
    byte[] bytes = new byte[ipv6 ? 16 : 4];
    int offset = ipv6 ? IPV6_ADDRESS_OFFSET : IPV4_ADDRESS_OFFSET;
    MemorySegment.copy(encoded, JAVA_BYTE, offset, bytes, 0, bytes.length);
    try {
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
