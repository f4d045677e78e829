package dev.sluice.app.endurance;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;

/**
 * A connection on which anything may be sent. Takes in whatever is answered, in any order, and
 * looks for one thing in it: bytes that must never leave the server.
 */
final class HostileConnection implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final byte[] secret;
  private final ByteBuffer in = ByteBuffer.allocate(256 << 10);
  private boolean open = true;
  private boolean sawSecret;

  HostileConnection(InetSocketAddress server, byte[] secret) throws IOException {
    this.secret = secret.clone();
    channel = SocketChannel.open(server);
    channel.configureBlocking(false);
    selector = Selector.open();
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  /** False when the server has had enough. */
  boolean isOpen() {
    return open;
  }

  boolean sawSecret() {
    return sawSecret;
  }

  /** Sends bytes, and reads meanwhile: a server may rightly stop reading when nobody listens. */
  void send(ByteBuffer bytes) throws IOException {
    while (open && bytes.hasRemaining()) {
      try {
        channel.write(bytes);
      } catch (IOException e) {
        open = false;
        return;
      }
      read();
      if (bytes.hasRemaining()) {
        await(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
      }
    }
  }

  /** Sends no more, and waits for the last answer and the end of the connection. */
  void finish() throws IOException {
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      open = false;
    }
    while (open) {
      await(SelectionKey.OP_READ);
      read();
    }
  }

  private void await(int interest) throws IOException {
    key.interestOps(interest);
    if (selector.select(_ -> {}, PATIENCE.toMillis()) == 0) {
      throw new AssertionError("the server neither reads, answers nor hangs up");
    }
  }

  private void read() {
    try {
      int count = channel.read(in);
      while (count > 0) {
        search();
        count = channel.read(in);
      }
      open = count == 0;
    } catch (IOException e) {
      open = false; // reset by the server
    }
  }

  /** Looks through what has arrived, and keeps as much as may be the beginning of the secret. */
  private void search() {
    byte[] bytes = in.array();
    int end = in.position();
    for (int i = 0; i + secret.length <= end; i++) {
      if (bytes[i] == secret[0]
          && Arrays.equals(bytes, i, i + secret.length, secret, 0, secret.length)) {
        sawSecret = true;
      }
    }
    int kept = Math.min(end, secret.length - 1);
    in.position(end - kept).limit(end);
    in.compact();
  }

  @Override
  public void close() throws IOException {
    selector.close();
    channel.close();
  }
}
