package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Asks a server's rpcbind where its programs are (RFC 1833, version 2). */
public final class PortMapper implements AutoCloseable {
  /** Where rpcbind is. */
  public static final int PORT = 111;

  private static final RpcConnection.Program PROGRAM = new RpcConnection.Program(100_000, 2);
  private static final int GETPORT = 3;
  private static final int TCP = 6;
  private static final int PORT_MAX = 65_535;

  private final RpcConnection rpc;
  private final Credential caller;

  private PortMapper(RpcConnection rpc, Credential caller) {
    this.rpc = rpc;
    this.caller = caller;
  }

  /** Connects; {@link RpcConnection} says what patience is for. */
  public static PortMapper connect(InetSocketAddress server, Credential caller, Duration patience)
      throws IOException {
    return new PortMapper(
        RpcConnection.open(server, PROGRAM, ClientTimes.asLinux(patience)), caller);
  }

  public CompletableFuture<Integer> nfsPort() {
    return port("NFS", Nfs3Procedure.PROGRAM, Nfs3Procedure.VERSION);
  }

  public CompletableFuture<Integer> mountPort() {
    return port("MOUNT", MountProcedure.PROGRAM, MountProcedure.VERSION);
  }

  private CompletableFuture<Integer> port(String name, int program, int version) {
    return rpc.call(
        caller,
        GETPORT,
        out -> out.writeInt(program).writeInt(version).writeInt(TCP).writeInt(0),
        null,
        in -> {
          int port = in.readInt();
          if (port < 1 || port > PORT_MAX) {
            throw new RpcException("the server's rpcbind knows no " + name + " version " + version);
          }
          return port;
        });
  }

  @Override
  public void close() {
    rpc.close();
  }
}
