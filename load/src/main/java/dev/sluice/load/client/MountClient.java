package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.MountProcedure;
import dev.sluice.nfs.nfs3.MountStatus;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The MOUNT protocol: from the path of an export to the handle of its root. */
public final class MountClient implements Mounts {
  private static final RpcConnection.Program PROGRAM =
      new RpcConnection.Program(MountProcedure.PROGRAM, MountProcedure.VERSION);

  private final RpcConnection rpc;
  private final Credential caller;

  private MountClient(RpcConnection rpc, Credential caller) {
    this.rpc = rpc;
    this.caller = caller;
  }

  /** Connects; {@link RpcConnection} says what patience is for. */
  public static MountClient connect(InetSocketAddress server, Credential caller, Duration patience)
      throws IOException {
    return new MountClient(
        RpcConnection.open(server, PROGRAM, ClientTimes.asLinux(patience)), caller);
  }

  @Override
  public CompletableFuture<Handle> mount(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MountProcedure.PATH_BYTES_MAX) {
      throw new IllegalArgumentException(
          "a path of more than " + MountProcedure.PATH_BYTES_MAX + " bytes: " + path);
    }
    return rpc.call(
        caller,
        MountProcedure.MNT.number(),
        out -> out.writeOpaque(bytes),
        null,
        in -> {
          int status = in.readInt();
          if (status != 0) {
            // The numbers are the same as those of NFS.
            throw new RpcException(
                "the server does not let "
                    + path
                    + " be mounted: "
                    + Nfs3Exception.name(status)
                    + (status == MountStatus.ACCES.code() ? PrivilegedPorts.HINT : ""));
          }
          return Handle.readFrom(in);
        });
  }

  /** Tells the server that a path is not used any more. */
  public CompletableFuture<Boolean> unmount(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    return rpc.call(
        caller, MountProcedure.UMNT.number(), out -> out.writeOpaque(bytes), null, in -> true);
  }

  @Override
  public void close() {
    rpc.close();
  }
}
