package dev.sluice.load.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's connections to a server, which take calls in turn. */
final class RpcConnections implements AutoCloseable {
  private final List<RpcConnection> all;
  private final AtomicInteger turn = new AtomicInteger();

  private RpcConnections(List<RpcConnection> all) {
    this.all = List.copyOf(all);
  }

  static RpcConnections open(
      InetSocketAddress server, RpcConnection.Program program, int count, ClientTimes times)
      throws IOException {
    List<RpcConnection> opened = new ArrayList<>();
    try {
      while (opened.size() < count) {
        opened.add(RpcConnection.open(server, program, times));
      }
    } catch (IOException e) {
      opened.forEach(RpcConnection::close);
      throw e;
    }
    return new RpcConnections(opened);
  }

  RpcConnection inTurn() {
    return all.get(Math.floorMod(turn.getAndIncrement(), all.size()));
  }

  /** How many times they were made, all together. */
  int made() {
    return all.stream().mapToInt(RpcConnection::connections).sum();
  }

  int madeAnew() {
    return made() - all.size();
  }

  /** How many calls were sent again because no answer came for long. */
  long repeated() {
    return all.stream().mapToLong(RpcConnection::repeated).sum();
  }

  @Override
  public void close() {
    all.forEach(RpcConnection::close);
  }
}
