package dev.sluice.jobs.slurm;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks a server on a local socket over HTTP, which Java's own client cannot.
 *
 * @param patience after how long the connection is closed, whatever has come
 * @param bytesMax a bound on an answer
 */
record UnixHttp(Path socket, Duration patience, int bytesMax) {
  private static final int LINE_BYTES_MAX = 8_192;
  private static final int HEADERS_MAX = 100;

  /** An answer, whatever it is. */
  static final class Answer {
    private final int status;
    private final byte[] body;

    private Answer(int status, byte[] body) {
      this.status = status;
      this.body = body;
    }

    int status() {
      return status;
    }

    byte[] body() {
      return body;
    }
  }

  /** Asks for what is at this path. */
  Answer get(String path) throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      AtomicBoolean tookTooLong = new AtomicBoolean();
      CompletableFuture<Void> impatience =
          CompletableFuture.runAsync(
              () -> {
                tookTooLong.set(true);
                close(channel);
              },
              CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS));
      try {
        String request =
            "GET "
                + path
                + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
                + "Connection: close\r\n\r\n";
        ByteBuffer out = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
        while (out.hasRemaining()) {
          channel.write(out);
        }
        return read(new BufferedInputStream(Channels.newInputStream(channel)), bytesMax);
      } catch (IOException e) {
        if (tookTooLong.get()) {
          throw new IOException(socket + " took longer than " + patience.toSeconds() + " s", e);
        }
        throw e;
      } finally {
        impatience.cancel(false);
      }
    }
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // Whoever reads from it finds out.
    }
  }

  /** Reads an answer: with its length, in chunks, or until the end. */
  static Answer read(InputStream in, int bytesMax) throws IOException {
    String first = line(in);
    if (!first.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new BadAnswerException(
          "\"" + SlurmText.shown(first) + "\": expected HTTP's first line");
    }
    int status = Integer.parseInt(first, 9, 12, 10);
    long length = -1;
    boolean chunked = false;
    int headers = 0;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      headers++;
      if (headers > HEADERS_MAX) {
        throw new BadAnswerException("expected at most " + HEADERS_MAX + " headers");
      }
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = count(lower.substring(lower.indexOf(':') + 1).strip(), 10, bytesMax);
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      }
    }
    if (chunked) {
      return new Answer(status, chunks(in, bytesMax));
    }
    if (length >= 0) {
      return new Answer(status, exactly(in, (int) length));
    }
    byte[] body = in.readNBytes(bytesMax + 1);
    if (body.length > bytesMax) {
      throw tooLong(bytesMax);
    }
    return new Answer(status, body);
  }

  private static byte[] chunks(InputStream in, int bytesMax) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String size = line(in);
      int extension = size.indexOf(';');
      String digits = (extension < 0 ? size : size.substring(0, extension)).strip();
      int length = (int) count(digits, 16, bytesMax - body.size());
      if (length == 0) {
        return body.toByteArray();
      }
      body.writeBytes(exactly(in, length));
      if (!line(in).isEmpty()) {
        throw new BadAnswerException("expected a line end after a chunk");
      }
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new BadAnswerException("the answer ends after " + bytes.length + " of " + length);
    }
    return bytes;
  }

  private static long count(String digits, int radix, int max) throws BadAnswerException {
    long count;
    try {
      count = Long.parseLong(digits, radix);
    } catch (NumberFormatException e) {
      throw new BadAnswerException("\"" + SlurmText.shown(digits) + "\": expected a length", e);
    }
    if (count < 0 || count > max) {
      throw tooLong(max);
    }
    return count;
  }

  private static BadAnswerException tooLong(int max) {
    return new BadAnswerException("expected at most " + max + " bytes more");
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new BadAnswerException("the answer ends within its head");
      }
      if (line.size() == LINE_BYTES_MAX) {
        throw new BadAnswerException("expected lines of at most " + LINE_BYTES_MAX + " bytes");
      }
      if (next != '\r') {
        line.write(next);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
