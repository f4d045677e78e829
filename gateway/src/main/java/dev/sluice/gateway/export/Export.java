package dev.sluice.gateway.export;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.rpc.RpcCall;
import java.util.List;

/**
 * A directory tree that clients can mount.
 *
 * @param path as clients mount it, such as {@code /scratch}; {@code /} is every path that is no
 *     other export's
 * @param target where its requests wait for their turn
 * @param readOnly whether all that would change something is refused
 * @param clients the networks whose clients may use it; none means all may
 * @param privilegedPortRequired whether calls must come from a port that only root can use
 */
public record Export(
    String path,
    FileTree tree,
    String target,
    boolean readOnly,
    Squash squash,
    List<Network> clients,
    boolean privilegedPortRequired) {
  public Export {
    if (!MountPath.isPlain(path)) {
      throw new IllegalArgumentException(
          "expected an absolute path without empty parts, \".\", \"..\", a slash at its end or"
              + " \"@\" at its start, not \""
              + path
              + "\"");
    }
    clients = List.copyOf(clients);
  }

  /** The number by which it is known across restarts, and by which handles name it. */
  public int id() {
    return tree.exportId();
  }

  /** Whether a call is from where this export may be used. */
  public boolean admits(RpcCall call) {
    return (call.privilegedPort() || !privilegedPortRequired) && admits(call.client());
  }

  /** Whether this export is for clients at this address. */
  public boolean admits(ClientAddress client) {
    if (clients.isEmpty()) {
      return true;
    }
    for (int i = 0; i < clients.size(); i++) {
      if (clients.get(i).contains(client)) {
        return true;
      }
    }
    return false;
  }
}
