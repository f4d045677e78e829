package dev.sluice.app.neighbours;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;

/** Connections from addresses that no export lets in. Used by one thread. */
final class Strangers implements AutoCloseable {
  /** So many addresses, from 127.0.0.2 on: one alone has too few ports for all connections. */
  private static final int ADDRESSES = 8;

  private static final int FIRST_ADDRESS = 2;
  private static final int LARGE_RECORD = 0x8000_0000 | (1 << 20);

  /** Fewer than systems allow a process to have open. */
  private static final int HELD_MAX = 15_000;

  private final InetSocketAddress server;
  private final ArrayList<SocketChannel> held = new ArrayList<>();
  private long opened;
  private int next;
  private long marks;
  private long resets;
  private long refused;

  Strangers(InetSocketAddress server) {
    this.server = server;
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      String address = "127.0.0." + (FIRST_ADDRESS + next++ % ADDRESSES);
      channel.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
      channel.connect(server);
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Opens connections and says nothing; lets the oldest go where they are too many for a process.
   */
  void hold(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      if (held.size() == HELD_MAX) {
        held.remove(0).close();
      }
      held.add(connect());
      opened++;
    }
  }

  int held() {
    return held.size();
  }

  /** Announces large records of which nothing follows, one on each connection. */
  void sendMarks(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      if (sendOn(i, ByteBuffer.allocate(Integer.BYTES).putInt(LARGE_RECORD).flip())) {
        marks++;
      }
    }
  }

  /** Sends one more byte of a call's header on each of some connections. */
  void drip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      sendOn(i, ByteBuffer.allocate(1));
    }
  }

  /** Sends on one of the connections; where that has been closed, a new one takes its place. */
  private boolean sendOn(int index, ByteBuffer bytes) throws IOException {
    if (held.isEmpty()) {
      return false;
    }
    int place = index % held.size();
    SocketChannel channel = held.get(place);
    try {
      return channel.write(bytes) > 0;
    } catch (IOException e) {
      channel.close();
      try {
        held.set(place, connect());
      } catch (IOException again) {
        refused++;
      }
      return false;
    }
  }

  /** Connects, says a little and goes without a farewell, over and over. */
  void storm(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      try (SocketChannel channel = connect()) {
        channel.write(ByteBuffer.allocate(Integer.BYTES).putInt(LARGE_RECORD).flip());
        resets++;
      } catch (IOException e) {
        refused++;
      }
    }
  }

  @Override
  public String toString() {
    return opened
        + " connections, "
        + held.size()
        + " at once, "
        + marks
        + " marks, "
        + resets
        + " resets, "
        + refused
        + " refused";
  }

  long marks() {
    return marks;
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : held) {
      channel.close();
    }
  }
}
