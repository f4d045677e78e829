package dev.sluice.gateway.portmap;

import dev.sluice.core.model.ClientAddress;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** Addresses as the newer versions of the portmapper's protocol write them (RFC 5665). */
final class UniversalAddress {
  /** Longer than any that is written here. */
  static final int LENGTH_MAX = 64;

  /** Any will do: nothing is sent. */
  private static final int SOME_PORT = 111;

  private UniversalAddress() {}

  static boolean isIpv6(ClientAddress client) {
    return inet(client) instanceof Inet6Address;
  }

  /** The address and both bytes of the port, with dots between. */
  static String of(InetAddress host, int port) {
    String text = host.getHostAddress();
    int scope = text.indexOf('%');
    return (scope < 0 ? text : text.substring(0, scope))
        + "."
        + (port >>> Byte.SIZE)
        + "."
        + (port & 0xff);
  }

  /** That of this machine's addresses at which a client reaches one that listens on them all. */
  static InetAddress reachableBy(ClientAddress client, InetAddress listening) {
    if (!listening.isAnyLocalAddress()) {
      return listening;
    }
    try (DatagramSocket socket = new DatagramSocket()) {
      // Asks the system for the route.
      socket.connect(new InetSocketAddress(inet(client), SOME_PORT));
      return socket.getLocalAddress();
    } catch (SocketException | java.io.UncheckedIOException e) {
      return listening;
    }
  }

  private static InetAddress inet(ClientAddress client) {
    return InetAddress.ofLiteral(client.toString());
  }
}
