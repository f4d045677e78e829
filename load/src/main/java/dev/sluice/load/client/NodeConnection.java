package dev.sluice.load.client;

import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;

/**
 * How a node reaches a server: over one connection that all its users share, as the kernel's client
 * does, or over several that take the calls in turn (Linux calls this nconnect).
 */
public interface NodeConnection extends AutoCloseable {
  /**
   * Connects over NFSv3.
   *
   * @param count how many connections
   */
  static NodeConnection open(InetSocketAddress server, int count, ClientTimes times)
      throws IOException {
    return open(NfsVersion.V3, server, count, times);
  }

  /**
   * Connects.
   *
   * @param count how many connections
   */
  static NodeConnection open(
      NfsVersion version, InetSocketAddress server, int count, ClientTimes times)
      throws IOException {
    return switch (version) {
      case V3 -> new Nfs3Node(server, count, times);
      case V4_1 -> Nfs4Node.open(server, count, times);
    };
  }

  /** One of the node's users. */
  NfsClient as(Credential caller);

  /** How many times its connections were made, all together. */
  int connections();

  /** How often a connection broke and was made anew. */
  int reconnections();

  /** How many calls the server told to come later. */
  long toldToComeLater();

  /** How many calls were sent again because no answer came for long. */
  long repeated();

  /** Ends it for all users; calls without an answer fail. */
  @Override
  void close();
}
