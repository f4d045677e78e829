package dev.sluice.web.server;

import java.net.InetAddress;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The names under which a server may be asked for. A page from elsewhere whose own name was made to
 * point at this server (DNS rebinding) gives itself away by that name.
 */
final class HostNames {
  private final Set<String> names = new TreeSet<>();

  /**
   * The names of a server.
   *
   * @param further names besides {@code localhost} and addresses, in any case
   */
  HostNames(Set<String> further) {
    names.add("localhost");
    further.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
  }

  /** Whether a {@code Host} header names this server; an address cannot be rebound. */
  boolean isOurs(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String name = name(host);
    return names.contains(name.toLowerCase(Locale.ROOT)) || isAddress(name);
  }

  /** What stands before the port. */
  private static String name(String host) {
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end < 0 ? "" : host.substring(1, end);
    }
    int colon = host.indexOf(':');
    return colon < 0 ? host : host.substring(0, colon);
  }

  private static boolean isAddress(String name) {
    try {
      InetAddress.ofLiteral(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
