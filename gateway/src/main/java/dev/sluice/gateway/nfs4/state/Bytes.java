package dev.sluice.gateway.nfs4.state;

import java.util.Arrays;

/** Bytes that a client chose as a name, as a key. */
final class Bytes {
  private final byte[] bytes;
  private final int hash;

  /** Keeps the array: nobody may change it any more. */
  Bytes(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /** The array itself. */
  byte[] array() {
    return bytes;
  }

  int length() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && hash == that.hash && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
