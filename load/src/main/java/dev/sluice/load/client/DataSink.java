package dev.sluice.load.client;

import java.nio.ByteBuffer;

/**
 * Looks at bytes that were read, where they arrived: on the connection's own thread, which reads
 * nothing else meanwhile. The buffer is not to be kept.
 */
@FunctionalInterface
public interface DataSink {
  /** For those who only want to know how many there are. */
  DataSink NOWHERE = data -> {};

  void accept(ByteBuffer data);
}
