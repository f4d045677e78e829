package dev.sluice.command;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import jdk.net.ExtendedSocketOptions;

/**
 * Takes commands on a local socket that only its owner may open: one JSON object a line, and one
 * line of answer each. Connections and the length of lines are bounded.
 */
public final class CommandServer implements AutoCloseable {
  /** More than any command takes. */
  public static final int REQUEST_BYTES_MAX = 64 << 10;

  /** A bound on connections; when it is reached the oldest makes room. */
  private static final int CONNECTIONS_MAX = 16;

  private static final long RETRY_NANOS = 100_000_000;

  private final Path path;
  private final ServerSocketChannel server;
  private final RequestHandler handler;
  private final Deque<SocketChannel> connections = new ArrayDeque<>();
  private boolean closed;

  /** Listens from now on; a socket that a dead program left behind is replaced. */
  public CommandServer(Path path, RequestHandler handler) throws IOException {
    this.path = path;
    this.handler = handler;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    // Made under another name, so that nobody ever finds it with other rights than it should have.
    Path unnamed =
        path.resolveSibling("." + path.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.deleteIfExists(unnamed);
      server.bind(UnixDomainSocketAddress.of(unnamed));
      Files.setPosixFilePermissions(unnamed, PosixFilePermissions.fromString("rw-------"));
      Files.move(unnamed, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      server.close();
      Files.deleteIfExists(unnamed);
      throw new IOException(path + ": no control socket can be made here: " + e.getMessage(), e);
    }
    Thread.ofPlatform().name("control-socket").daemon().start(this::accept);
  }

  private void accept() {
    while (true) {
      try {
        SocketChannel connection = server.accept();
        if (!admit(connection)) {
          return;
        }
        Thread.ofPlatform().name("control-command").daemon().start(() -> serve(connection));
      } catch (IOException e) {
        if (!server.isOpen()) {
          return;
        }
        // As when descriptors run out: whoever asks again at once does not help.
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private boolean admit(SocketChannel connection) {
    synchronized (connections) {
      if (closed) {
        close(connection);
        return false;
      }
      if (connections.size() == CONNECTIONS_MAX) {
        close(connections.removeFirst());
      }
      connections.addLast(connection);
      return true;
    }
  }

  private void serve(SocketChannel connection) {
    LineChannel lines = new LineChannel(connection, REQUEST_BYTES_MAX);
    String who = peer(connection);
    try {
      for (String line = lines.read(); line != null; line = lines.read()) {
        RequestHandler.Reply reply = handler.reply(line, who);
        try {
          lines.write(reply.line());
        } finally {
          reply.afterwards().run();
        }
      }
    } catch (IOException e) {
      // Whoever asked is gone, or sent a line without an end.
    } finally {
      synchronized (connections) {
        connections.remove(connection);
      }
      close(connection);
    }
  }

  /** Whose process is at the other end: the kernel knows, where it tells. */
  private static String peer(SocketChannel connection) {
    try {
      return connection.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    } catch (IOException | UnsupportedOperationException e) {
      return "somebody on this machine";
    }
  }

  private static void close(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It is closed as far as we are concerned.
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (connections) {
      closed = true;
      connections.forEach(CommandServer::close);
      connections.clear();
    }
    server.close();
    Files.deleteIfExists(path);
  }
}
