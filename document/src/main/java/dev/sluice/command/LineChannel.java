package dev.sluice.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Lines of text over a socket, each no longer than a bound. Not thread-safe. */
final class LineChannel {
  private static final int READ_BYTES = 8_192;

  private final SocketChannel channel;
  private final int lineBytesMax;
  private final ByteBuffer in = ByteBuffer.allocate(READ_BYTES).flip();

  LineChannel(SocketChannel channel, int lineBytesMax) {
    this.channel = channel;
    this.lineBytesMax = lineBytesMax;
  }

  /** The next line without its end; null when no more come. A line that is too long throws. */
  @Nullable String read() throws IOException {
    byte[] line = new byte[READ_BYTES];
    int length = 0;
    while (true) {
      while (in.hasRemaining()) {
        byte next = in.get();
        if (next == '\n') {
          return new String(line, 0, length, StandardCharsets.UTF_8);
        }
        if (length == lineBytesMax) {
          throw new IOException("expected a line of at most " + lineBytesMax + " bytes");
        }
        if (length == line.length) {
          line = Arrays.copyOf(line, Math.min(2 * length, lineBytesMax));
        }
        line[length++] = next;
      }
      in.clear();
      int count = channel.read(in);
      in.flip();
      if (count < 0) {
        return null;
      }
    }
  }

  void write(String line) throws IOException {
    ByteBuffer out = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }
}
