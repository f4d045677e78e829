package dev.sluice.command;

import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Talks to a program that runs, over its command socket. Not thread-safe. */
public final class CommandClient implements AutoCloseable {
  /** Far more than a status of a thousand jobs on each of a thousand targets takes. */
  private static final int ANSWER_BYTES_MAX = 1 << 30;

  private final SocketChannel channel;
  private final LineChannel lines;

  /** Connects to the program that listens there. */
  public CommandClient(Path socket) throws IOException {
    this.channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    this.lines = new LineChannel(channel, ANSWER_BYTES_MAX);
  }

  /** The program's no; the message says why. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /** Asks, and gives the answer as JSON text. */
  public String ask(String command, Consumer<JsonGenerator> arguments)
      throws IOException, RefusedException {
    String answer =
        exchange(
            JsonLine.object(json -> {
              json.writeStringProperty("command", command);
              arguments.accept(json);
            }));
    if (answer.startsWith("{\"error\":")) {
      DocumentNode error = read(answer).openMap().required("error");
      throw new RefusedException(error.text());
    }
    return answer;
  }

  /** An answer, to be looked into. */
  public static DocumentNode read(String answer) {
    return Documents.parse("the answer", answer);
  }

  /** Sends a line and waits for the answer to it. */
  public String exchange(String line) throws IOException {
    lines.write(line);
    String answer = lines.read();
    if (answer == null) {
      throw new IOException("the connection was closed");
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
