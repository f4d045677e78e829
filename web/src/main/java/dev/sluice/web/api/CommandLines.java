package dev.sluice.web.api;

import dev.sluice.command.JsonLine;
import dev.sluice.web.server.RefusedException;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Makes commands of what comes over HTTP. What stands in a body is copied value by value, and only
 * under the names that the command knows: nobody can slip in another command.
 */
final class CommandLines {
  private static final JsonFactory STRICT =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private CommandLines() {}

  /** A command with arguments that are texts. */
  static String of(String command, Map<String, String> texts) {
    return JsonLine.object(json -> {
      json.writeStringProperty("command", command);
      texts.forEach(json::writeStringProperty);
    });
  }

  /**
   * A command with what a body says.
   *
   * @param texts arguments that do not come from the body
   * @param known the names that the body may use; a body that is empty uses none
   */
  static String of(String command, Map<String, String> texts, String body, List<String> known) {
    try (JsonParser parser =
        STRICT.createParser(ObjectReadContext.empty(), body.isBlank() ? "{}" : body)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new RefusedException(400, "expected a JSON object");
      }
      String line =
          JsonLine.object(json -> {
            json.writeStringProperty("command", command);
            texts.forEach(json::writeStringProperty);
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
              String name = parser.currentName();
              if (!known.contains(name)) {
                throw new RefusedException(400, name + ": expected one of " + known);
              }
              json.writeName(name);
              parser.nextToken();
              json.copyCurrentStructure(parser);
            }
          });
      if (parser.nextToken() != null) {
        throw new RefusedException(400, "expected one JSON object and nothing behind it");
      }
      return line;
    } catch (JacksonException e) {
      throw new RefusedException(400, "expected JSON: " + e.getOriginalMessage());
    }
  }
}
