package dev.sluice.load.client;

import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** From the paths of exports to the handles of their roots. */
public interface Mounts extends AutoCloseable {
  /** Connects; {@link ClientTimes} says what patience is for. */
  static Mounts connect(
      NfsVersion version, ServerAddress server, Credential caller, Duration patience)
      throws IOException {
    return switch (version) {
      case V3 -> MountClient.connect(server.mount(), caller, patience);
      case V4_1 -> Nfs4Mounts.connect(server.nfs(), caller, patience);
    };
  }

  /** The root of what is exported under a path. */
  CompletableFuture<Handle> mount(String path);

  @Override
  void close();
}
