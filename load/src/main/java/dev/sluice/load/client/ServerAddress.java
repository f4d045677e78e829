package dev.sluice.load.client;

import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Where a server answers NFS and MOUNT calls. */
public record ServerAddress(InetSocketAddress nfs, InetSocketAddress mount) {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  public static ServerAddress of(String host, int nfsPort, int mountPort) {
    return new ServerAddress(
        new InetSocketAddress(host, nfsPort), new InetSocketAddress(host, mountPort));
  }

  /** What the host's rpcbind says. */
  public static ServerAddress ask(String host, Credential caller) throws IOException {
    InetSocketAddress rpcbind = new InetSocketAddress(host, PortMapper.PORT);
    try (PortMapper ports = PortMapper.connect(rpcbind, caller, PATIENCE)) {
      CompletableFuture<Integer> nfsPort = ports.nfsPort();
      CompletableFuture<Integer> mountPort = ports.mountPort();
      return of(host, Answers.await(nfsPort), Answers.await(mountPort));
    }
  }
}
