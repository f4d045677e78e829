package dev.sluice.control.measure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * What the operating system alone takes for the messages of a cycle: as many bytes to every node
 * and back, over as many connections, which nobody reads, checks or answers with anything. No
 * protocol over TCP can be quicker on the same machine.
 */
final class BareExchange {
  /** About what orders and a report take, without TCP's own headers. */
  private static final int MESSAGE_BYTES = 70;

  private static final int BUFFER_BYTES = 4_096;

  /** As many may wait to be let in as the system allows by default. */
  private static final int BACKLOG = 4_096;

  private BareExchange() {}

  /** Lets so many nodes connect, and exchanges messages with all of them, a cycle at a time. */
  static final class Hub implements AutoCloseable {
    private final ServerSocketChannel server;
    private final Selector selector = Selector.open();
    private final List<SocketChannel> nodes = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);

    Hub() throws IOException {
      server =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    }

    int port() {
      return server.socket().getLocalPort();
    }

    void await(int count) throws IOException {
      while (nodes.size() < count) {
        nodes.add(registered(server.accept(), selector));
      }
    }

    /** A message to every node, and one from each. */
    void cycle() throws IOException {
      for (SocketChannel node : nodes) {
        send(node, buffer);
      }
      int heard = 0;
      while (heard < nodes.size()) {
        heard +=
            selector.select(key -> {
              if (!receive((SocketChannel) key.channel(), buffer)) {
                throw new IllegalStateException("a node has left");
              }
            });
      }
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel node : nodes) {
        node.close();
      }
      selector.close();
      server.close();
    }
  }

  /** So many nodes that answer every message with another, until the hub leaves. */
  static void answer(int count, InetSocketAddress hub) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < count; i++) {
        registered(SocketChannel.open(hub), selector);
      }
      while (!selector.keys().isEmpty()) {
        selector.select(key -> {
          SocketChannel node = (SocketChannel) key.channel();
          if (receive(node, buffer)) {
            send(node, buffer);
          }
        });
      }
    }
  }

  private static SocketChannel registered(SocketChannel channel, Selector selector)
      throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
    return channel;
  }

  private static void send(SocketChannel channel, ByteBuffer buffer) {
    try {
      buffer.clear().limit(MESSAGE_BYTES);
      channel.write(buffer);
    } catch (IOException e) {
      leave(channel);
    }
  }

  /**
   * Whether there was a message, which is too short to come in parts; if there will be none any
   * more, the channel is closed.
   */
  private static boolean receive(SocketChannel channel, ByteBuffer buffer) {
    try {
      if (channel.read(buffer.clear()) > 0) {
        return true;
      }
    } catch (IOException e) {
      // The other side is gone, whichever way it left.
    }
    leave(channel);
    return false;
  }

  private static void leave(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
