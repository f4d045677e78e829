package dev.sluice.core.model;

import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The address of a client as 128 bits; an IPv4 address is the IPv6 address that maps it, so that
 * one comparison serves both.
 */
public record ClientAddress(long high, long low) {
  /** No address: the request came from this machine by other means than the network. */
  public static final ClientAddress LOCAL = new ClientAddress(0, 1);

  private static final long IPV4_MAPPED = 0xffff_0000_0000L;
  private static final String EXPECTED = "an IPv4 or IPv6 address such as 10.1.2.3 or fd00::12";

  /** Reads an address literal; never asks a name service. */
  public static ClientAddress parse(String text) {
    boolean dotted = text.chars().filter(c -> c == '.').count() == 3;
    if ((!dotted && text.indexOf(':') < 0) || text.indexOf('%') >= 0) {
      throw new IllegalArgumentException("expected " + EXPECTED);
    }
    try {
      return of(InetAddress.ofLiteral(text).getAddress());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("expected " + EXPECTED, e);
    }
  }

  /** From the 4 or 16 bytes of a socket address. */
  public static ClientAddress of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return switch (bytes.length) {
      case 4 -> new ClientAddress(0, IPV4_MAPPED | Integer.toUnsignedLong(buffer.getInt()));
      case 16 -> new ClientAddress(buffer.getLong(), buffer.getLong());
      default -> throw new IllegalArgumentException("an address has 4 or 16 bytes");
    };
  }

  boolean isIpv4() {
    return high == 0 && (low >>> 32) == 0xffff;
  }

  @Override
  public String toString() {
    if (isIpv4()) {
      return ((low >> 24) & 0xff)
          + "."
          + ((low >> 16) & 0xff)
          + "."
          + ((low >> 8) & 0xff)
          + "."
          + (low & 0xff);
    }
    StringBuilder text = new StringBuilder(39);
    for (int shift = 112; shift >= 0; shift -= 16) {
      long word = shift >= 64 ? high >>> (shift - 64) : low >>> shift;
      text.append(Long.toHexString(word & 0xffff)).append(shift == 0 ? "" : ":");
    }
    return text.toString();
  }
}
