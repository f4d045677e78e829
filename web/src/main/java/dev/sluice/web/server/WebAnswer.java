package dev.sluice.web.server;

import dev.sluice.command.JsonLine;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What goes back to whoever asked. */
public sealed interface WebAnswer {
  /** The type of JSON text. */
  String JSON = "application/json; charset=utf-8";

  /**
   * An answer that is known as a whole.
   *
   * @param status the status code of HTTP
   * @param headers besides those that every answer has
   */
  record Whole(int status, Content content, Map<String, String> headers) implements WebAnswer {
    public Whole {
      headers = Map.copyOf(headers);
    }
  }

  /** Events from now on, until whoever asked goes away or the feed ends. */
  record Events(EventFeed feed) implements WebAnswer {}

  /** JSON text. */
  static WebAnswer json(String text) {
    return json(200, text);
  }

  /** JSON text with a status code. */
  static WebAnswer json(int status, String text) {
    return text(status, JSON, text);
  }

  /** Any text of a type such as {@code text/plain; charset=utf-8}. */
  static WebAnswer text(int status, String type, String text) {
    return new Whole(
        status, Content.passing(type, text.getBytes(StandardCharsets.UTF_8)), Map.of());
  }

  /** A refusal, as JSON. */
  static WebAnswer error(int status, String message) {
    return json(status, JsonLine.error(message));
  }
}
