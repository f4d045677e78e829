package dev.sluice.load.client;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The ports that only root may call from, by which a server knows that the kernel of the calling
 * node vouches for who calls. As Linux does, a free one is looked for from a random one on.
 */
public final class PrivilegedPorts {
  static final int FIRST = 665;
  static final int LAST = 1_023;

  /** How many there are to one server. */
  public static final int COUNT = LAST - FIRST + 1;

  /** Why a server may refuse who is not root. */
  static final String HINT =
      "; perhaps the address is not among the export's clients, or it serves only ports below 1024"
          + " (privileged-ports of a gateway): then run this as root, or have the export say"
          + " privileged-ports: false";

  private static final Path SELF = Path.of("/proc/self");

  /** Whether this program may use them. */
  public static final boolean USABLE = isRoot();

  private PrivilegedPorts() {}

  private static boolean isRoot() {
    try {
      return (int) Files.getAttribute(SELF, "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false; // Not a Linux: nobody is known to be root.
    }
  }

  /**
   * Connects from one of them.
   *
   * @param preferred the one to try first; 0 for any. A server may know a client by its port
   */
  static SocketChannel connect(InetSocketAddress server, int preferred) throws IOException {
    int start = preferred == 0 ? ThreadLocalRandom.current().nextInt(COUNT) : preferred - FIRST;
    for (int i = 0; i < COUNT; i++) {
      SocketChannel channel = SocketChannel.open();
      try {
        // A port may lead to several servers at once, and again to one that has just been left.
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(new InetSocketAddress(FIRST + Math.floorMod(start - i, COUNT)));
        channel.connect(server);
        return channel;
      } catch (BindException e) {
        channel.close(); // Somebody has it, or had it a moment ago.
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }
    throw new RpcException(
        "cannot connect to "
            + server
            + ": of the "
            + COUNT
            + " privileged ports "
            + FIRST
            + " to "
            + LAST
            + " none is free");
  }
}
