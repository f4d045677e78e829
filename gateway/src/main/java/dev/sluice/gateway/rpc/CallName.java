package dev.sluice.gateway.rpc;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** What a call is known by in a journal: a hash of all that tells it from others. */
public final class CallName {
  static final int BYTES = 16;

  private final byte[] hash;

  CallName(byte[] hash) {
    this.hash = hash;
  }

  /** The name of the call of which this is all that tells it from others. */
  public static CallName of(byte[] words) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(words);
      return new CallName(Arrays.copyOf(digest, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Not to be changed. */
  byte[] bytes() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CallName that && Arrays.equals(hash, that.hash);
  }

  @Override
  public int hashCode() {
    return ByteBuffer.wrap(hash).getInt();
  }
}
