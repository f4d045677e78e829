package dev.sluice.load.client;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Calls from a port that only root can use, as kernels do it: servers believe only those what they
 * say about their user.
 */
final class PrivilegedPort {
  /** Why a server may refuse who is not root. */
  static final String HINT =
      "; perhaps the address is not among the export's clients, or it serves only ports below 1024"
          + " (privileged-ports of a gateway): then run this as root, or have the export say"
          + " privileged-ports: false";

  /** Below are those of well-known services. */
  private static final int FIRST = 600;

  private static final int END = 1_024;

  private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

  private PrivilegedPort() {}

  /** Binds a socket to one that is free, if we are root; where none is, any port must do. */
  static void take(SocketChannel socket) throws IOException {
    if (!IS_ROOT) {
      return;
    }
    int first = ThreadLocalRandom.current().nextInt(END - FIRST);
    for (int i = 0; i < END - FIRST; i++) {
      try {
        socket.bind(new InetSocketAddress(FIRST + (first + i) % (END - FIRST)));
        return;
      } catch (BindException _) {
        // Somebody else's.
      }
    }
  }
}
