package dev.sluice.web.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** One server-sent event, encoded once for all who get it. Immutable. */
public final class EventText {
  private final byte[] bytes;

  private EventText(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * An event.
   *
   * @param name what kind it is, one word
   * @param line its data, on one line
   */
  public static EventText of(String name, String line) {
    if (line.indexOf('\n') >= 0 || line.indexOf('\r') >= 0) {
      throw new IllegalArgumentException("expected the data of an event on one line");
    }
    return new EventText(
        ("event: " + name + "\ndata: " + line + "\n\n").getBytes(StandardCharsets.UTF_8));
  }

  /** How long it is on the wire. */
  public int bytes() {
    return bytes.length;
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes);
  }
}
