package dev.sluice.gateway.files;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4: who does not know the key cannot tell what the hash of anything is. Fast on short
 * inputs (Aumasson and Bernstein, 2012).
 */
final class SipHash {
  static final int KEY_BYTES = 16;

  private static final VarHandle LITTLE_ENDIAN =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long key0;
  private final long key1;

  SipHash(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "a key has " + KEY_BYTES + " bytes, this one has " + key.length);
    }
    key0 = (long) LITTLE_ENDIAN.get(key, 0);
    key1 = (long) LITTLE_ENDIAN.get(key, Long.BYTES);
  }

  /** The hash of the first {@code length} bytes. */
  long hash(byte[] bytes, int length) {
    State state = new State(key0, key1);
    int whole = length & -Long.BYTES;
    for (int at = 0; at < whole; at += Long.BYTES) {
      state.takeIn((long) LITTLE_ENDIAN.get(bytes, at));
    }
    long last = (long) length << 56;
    for (int i = whole; i < length; i++) {
      last |= (bytes[i] & 0xffL) << (8 * (i - whole));
    }
    state.takeIn(last);
    return state.finish();
  }

  /** What is computed on; never leaves a call, so that it needs no memory. */
  private static final class State {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(long key0, long key1) {
      v0 = key0 ^ 0x736f6d6570736575L;
      v1 = key1 ^ 0x646f72616e646f6dL;
      v2 = key0 ^ 0x6c7967656e657261L;
      v3 = key1 ^ 0x7465646279746573L;
    }

    void takeIn(long word) {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    long finish() {
      v2 ^= 0xff;
      round();
      round();
      round();
      round();
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
    }
  }
}
