package dev.sluice.load.client;

import java.nio.ByteBuffer;

/**
 * The bytes of a write. They are asked for when they are sent, and again when they have to be sent
 * again, so that nobody keeps them in between: each time the same ones.
 */
public interface Payload {
  int length();

  /** Puts exactly {@link #length()} bytes into a buffer. */
  void writeTo(ByteBuffer out);
}
