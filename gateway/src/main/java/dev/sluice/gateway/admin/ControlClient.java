package dev.sluice.gateway.admin;

import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.IOException;
import java.io.StringWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Talks to a gateway over its control socket. Not thread-safe. */
public final class ControlClient implements AutoCloseable {
  /** Far more than a status of a thousand jobs on each of a thousand targets takes. */
  private static final int ANSWER_BYTES_MAX = 1 << 30;

  private final SocketChannel channel;
  private final LineChannel lines;

  /** Connects to the gateway that listens there. */
  public ControlClient(Path socket) throws IOException {
    this.channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    this.lines = new LineChannel(channel, ANSWER_BYTES_MAX);
  }

  /** A gateway's no; the message says why. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /** Asks, and gives the answer as JSON text. */
  public String ask(String command, Consumer<JsonGenerator> arguments)
      throws IOException, RefusedException {
    StringWriter request = new StringWriter();
    try (JsonGenerator json =
        new JsonFactory().createGenerator(ObjectWriteContext.empty(), request)) {
      json.writeStartObject();
      json.writeStringProperty("command", command);
      arguments.accept(json);
      json.writeEndObject();
    }
    String answer = exchange(request.toString());
    if (answer.startsWith("{\"error\":")) {
      DocumentNode error = read(answer).openMap().required("error");
      throw new RefusedException(error.text());
    }
    return answer;
  }

  /** An answer, to be looked into. */
  public static DocumentNode read(String answer) {
    return Documents.parse("the gateway's answer", answer);
  }

  /** Sends a line and waits for the answer to it. */
  String exchange(String line) throws IOException {
    lines.write(line);
    String answer = lines.read();
    if (answer == null) {
      throw new IOException("the gateway closed the connection");
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
