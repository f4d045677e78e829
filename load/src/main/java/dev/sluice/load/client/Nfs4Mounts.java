package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Version 4 has no protocol for mounts: paths lead from the server's root to its exports. */
final class Nfs4Mounts implements Mounts {
  private final Nfs4Node node;
  private final Nfs4Client client;

  private Nfs4Mounts(Nfs4Node node, Credential caller) {
    this.node = node;
    this.client = new Nfs4Client(node, caller);
  }

  static Nfs4Mounts connect(InetSocketAddress server, Credential caller, Duration patience)
      throws IOException {
    return new Nfs4Mounts(Nfs4Node.open(server, 1, ClientTimes.asLinux(patience)), caller);
  }

  @Override
  public CompletableFuture<Handle> mount(String path) {
    return client
        .find(path)
        .exceptionallyCompose(wrong ->
            CompletableFuture.failedFuture(
                Answers.cause(wrong) instanceof Nfs4Exception refused
                    ? new RpcException(
                        "the server does not let "
                            + path
                            + " be mounted: "
                            + refused.getMessage()
                            + (refused.status() == Nfs4Status.ACCESS ? PrivilegedPorts.HINT : ""))
                    : wrong));
  }

  @Override
  public void close() {
    node.close();
  }
}
