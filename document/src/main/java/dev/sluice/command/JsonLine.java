package dev.sluice.command;

import java.io.StringWriter;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** JSON objects as they go over a command socket, each on one line. */
public final class JsonLine {
  private JsonLine() {}

  /** An object with these properties. */
  public static String object(Consumer<JsonGenerator> properties) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      properties.accept(json);
      json.writeEndObject();
    }
    return text.toString();
  }

  /** The answer to a request that cannot be met. */
  public static String error(String message) {
    return object(json -> json.writeStringProperty("error", message));
  }
}
