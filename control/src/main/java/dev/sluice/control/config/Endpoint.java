package dev.sluice.control.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Reads addresses with ports, as people write them. */
public final class Endpoint {
  private static final int PORT_MAX = 65_535;

  private Endpoint() {}

  /** Reads {@code 127.0.0.1:7420}, never asking a name service. */
  public static InetSocketAddress literal(String text) {
    int colon = colon(text);
    try {
      return new InetSocketAddress(
          InetAddress.ofLiteral(text.substring(0, colon).replaceAll("[\\[\\]]", "")),
          port(text, colon));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "expected an address of this machine and a port, such as 127.0.0.1:7420", e);
    }
  }

  /** Reads {@code controller.example:7420}. */
  public static InetSocketAddress named(String text) {
    int colon = colon(text);
    return new InetSocketAddress(
        text.substring(0, colon).replaceAll("[\\[\\]]", ""), port(text, colon));
  }

  private static int colon(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("expected a host and a port, such as 127.0.0.1:7420");
    }
    return colon;
  }

  private static int port(String text, int colon) {
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (port >= 0 && port <= PORT_MAX) {
        return port;
      }
    } catch (NumberFormatException e) {
      // What is no number is refused like one that is out of range.
    }
    throw new IllegalArgumentException(
        "expected a port from 0 to " + PORT_MAX + " after the colon");
  }
}
