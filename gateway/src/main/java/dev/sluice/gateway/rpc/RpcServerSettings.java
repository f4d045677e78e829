package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.net.TcpListener;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * The bounds of an RPC server.
 *
 * @param isClient whether connections from an address are accepted at all; asked for each
 * @param connectionsMax further clients are turned away, unless one can be ended that is idle
 * @param connectionsPerAddressMax further connections of one address are turned away
 * @param memoryBytesMax what all clients together can have under way
 * @param patience how long a client may leave a record unfinished, or take nothing of what is sent
 *     to it
 * @param idle how long a client may have nothing to say
 * @param contentsBytesMax what a call or reply has of a file's contents, at most
 * @param ending how connections end
 */
public record RpcServerSettings(
    Predicate<ClientAddress> isClient,
    int connectionsMax,
    int connectionsPerAddressMax,
    long memoryBytesMax,
    Duration patience,
    Duration idle,
    int contentsBytesMax,
    TcpListener.Ending ending) {
  /** The least with which one largest request of a client fits. */
  public static final long MEMORY_BYTES_MIN = 16 << 20;

  /** Linux ends a connection itself that was idle for five minutes, and makes it again. */
  public static final Duration IDLE = Duration.ofMinutes(15);

  public RpcServerSettings {
    if (connectionsMax < 1 || connectionsPerAddressMax < 1) {
      throw new IllegalArgumentException(
          "a server has at least 1 connection, not "
              + Math.min(connectionsMax, connectionsPerAddressMax));
    }
    if (memoryBytesMax < MEMORY_BYTES_MIN) {
      throw new IllegalArgumentException(
          "a server needs at least " + MEMORY_BYTES_MIN + " bytes, not " + memoryBytesMax);
    }
    if (patience.toMillis() < 1 || patience.toHours() > 24) {
      throw new IllegalArgumentException("patience is 1 ms to 24 h, not " + patience);
    }
    if (idle.toMillis() < 1 || idle.toDays() > 7) {
      throw new IllegalArgumentException("idle is 1 ms to 7 days, not " + idle);
    }
  }

  /** For clients whose connections end in order. */
  public RpcServerSettings(
      Predicate<ClientAddress> isClient,
      int connectionsMax,
      int connectionsPerAddressMax,
      long memoryBytesMax,
      Duration patience,
      Duration idle) {
    this(
        isClient,
        connectionsMax,
        connectionsPerAddressMax,
        memoryBytesMax,
        patience,
        idle,
        TransferSize.USUAL.bytesMax(),
        TcpListener.Ending.IN_ORDER);
  }

  /** For clients of any address. */
  public RpcServerSettings(int connectionsMax, long memoryBytesMax, Duration patience) {
    this(_ -> true, connectionsMax, connectionsMax, memoryBytesMax, patience, IDLE);
  }
}
