package dev.sluice.app.setup;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.SequencedSet;

/** The networks that this machine is in. */
final class LocalNetworks {
  private LocalNetworks() {}

  /** Those of version 4, such as {@code 10.1.0.0/16}, and this machine itself. */
  static String text() {
    SequencedSet<String> networks = new LinkedHashSet<>();
    try {
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        if (each.isUp() && !each.isLoopback()) {
          each.getInterfaceAddresses().forEach(address -> add(address, networks));
        }
      }
    } catch (SocketException e) {
      // Then this machine alone, which is always right.
    }
    networks.add("127.0.0.1");
    return String.join(", ", networks);
  }

  private static void add(InterfaceAddress address, SequencedSet<String> networks) {
    if (address.getAddress() instanceof Inet4Address own) {
      networks.add(network(own, address.getNetworkPrefixLength()));
    }
  }

  /** The network of this length that an address is in. */
  static String network(Inet4Address address, int length) {
    byte[] bytes = address.getAddress();
    for (int bit = length; bit < Integer.SIZE; bit++) {
      bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> (bit % Byte.SIZE));
    }
    try {
      return InetAddress.getByAddress(bytes).getHostAddress() + "/" + length;
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
