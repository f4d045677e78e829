package dev.sluice.core.model;

/** A block of client addresses in CIDR notation. */
public record Network(ClientAddress base, int prefixBits) {
  private static final int IPV4_OFFSET_BITS = 96;

  /** {@code prefixBits} counts from the front of the 128 bits, for IPv4 networks too. */
  public Network {
    if (prefixBits < 0 || prefixBits > 128) {
      throw new IllegalArgumentException("a prefix has 0 to 128 bits, not " + prefixBits);
    }
    if (!base.equals(masked(base, prefixBits))) {
      throw new IllegalArgumentException(
          "the address has bits beyond the prefix; the network is " + masked(base, prefixBits));
    }
  }

  /** Reads {@code 10.1.0.0/16}, {@code fd00::/8}, or a single address. */
  public static Network parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      return new Network(ClientAddress.parse(text), 128);
    }
    ClientAddress address = ClientAddress.parse(text.substring(0, slash));
    String digits = text.substring(slash + 1);
    int bitsMax = address.isIpv4() ? 32 : 128;
    int bits = -1;
    if (digits.length() <= 3 && !digits.isEmpty() && digits.chars().allMatch(Character::isDigit)) {
      bits = Integer.parseInt(digits);
    }
    if (bits < 0 || bits > bitsMax) {
      throw new IllegalArgumentException("expected a prefix length of 0 to " + bitsMax);
    }
    return new Network(address, address.isIpv4() ? bits + IPV4_OFFSET_BITS : bits);
  }

  /** The network of this prefix that the address is in. */
  public static Network around(ClientAddress address, int prefixBits) {
    return new Network(masked(address, prefixBits), prefixBits);
  }

  public boolean contains(ClientAddress address) {
    return masked(address, prefixBits).equals(base);
  }

  private static ClientAddress masked(ClientAddress address, int bits) {
    long highMask = bits >= 64 ? -1L : bits == 0 ? 0L : -1L << (64 - bits);
    long lowMask = bits <= 64 ? 0L : bits == 128 ? -1L : -1L << (128 - bits);
    return new ClientAddress(address.high() & highMask, address.low() & lowMask);
  }

  @Override
  public String toString() {
    return base + "/" + (base.isIpv4() ? prefixBits - IPV4_OFFSET_BITS : prefixBits);
  }
}
