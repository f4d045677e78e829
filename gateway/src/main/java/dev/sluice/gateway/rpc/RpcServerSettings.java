package dev.sluice.gateway.rpc;

import java.time.Duration;

/**
 * The bounds of an RPC server.
 *
 * @param connectionsMax further clients are turned away
 * @param memoryBytesMax what all clients together can have under way
 * @param patience how long a client may leave a record unfinished, or take nothing of what is sent
 *     to it
 */
public record RpcServerSettings(int connectionsMax, long memoryBytesMax, Duration patience) {
  /** The least with which one largest request of a client fits. */
  public static final long MEMORY_BYTES_MIN = 16 << 20;

  public RpcServerSettings {
    if (connectionsMax < 1) {
      throw new IllegalArgumentException(
          "a server has at least 1 connection, not " + connectionsMax);
    }
    if (memoryBytesMax < MEMORY_BYTES_MIN) {
      throw new IllegalArgumentException(
          "a server needs at least " + MEMORY_BYTES_MIN + " bytes, not " + memoryBytesMax);
    }
    if (patience.toMillis() < 1 || patience.toHours() > 24) {
      throw new IllegalArgumentException("patience is 1 ms to 24 h, not " + patience);
    }
  }

  /** What suits a machine with this much memory for the program. */
  public static RpcServerSettings forMemory(long bytes) {
    return new RpcServerSettings(
        4_096, Math.clamp(bytes / 4, MEMORY_BYTES_MIN, 512L << 20), Duration.ofSeconds(60));
  }
}
