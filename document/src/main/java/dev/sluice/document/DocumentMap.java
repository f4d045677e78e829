package dev.sluice.document;

import dev.sluice.core.text.Suggestion;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A mapping in a document, its keys checked. */
public final class DocumentMap {
  private final DocumentNode self;
  private final Map<String, DocumentNode> values = new LinkedHashMap<>();
  private final Map<String, Place> keyPlaces = new HashMap<>();

  DocumentMap(String file, DocumentNode self, MappingNode mapping, List<String> known) {
    this.self = self;
    for (NodeTuple tuple : mapping.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
        Place place = Documents.place(file, tuple.getKeyNode().getStartMark());
        throw new DocumentException(place, "expected a single word as the key");
      }
      String key = keyNode.getValue();
      Place place = Documents.place(file, keyNode.getStartMark());
      if (!known.isEmpty() && !known.contains(key)) {
        throw new DocumentException(
            place,
            "\""
                + key
                + "\": expected one of "
                + String.join(", ", known)
                + Suggestion.of(key, known));
      }
      if (values.put(key, new DocumentNode(file, key, tuple.getValueNode())) != null) {
        throw new DocumentException(place, "\"" + key + "\": the key is there already");
      }
      keyPlaces.put(key, place);
    }
  }

  /** The value of a key that must be there. */
  public DocumentNode required(String key) {
    DocumentNode value = values.get(key);
    if (value == null) {
      throw self.error("expected the key \"" + key + "\"");
    }
    return value;
  }

  /** The value of a key that may be there. */
  public @Nullable DocumentNode optional(String key) {
    return values.get(key);
  }

  /** An error about the mapping as a whole, to be thrown. */
  public DocumentException error(String expected) {
    return self.error(expected);
  }

  /** An error about a key that is there, to be thrown: names its place and text. */
  public DocumentException keyError(String key, String expected) {
    return DocumentException.about(Objects.requireNonNull(keyPlaces.get(key)), key, expected);
  }

  /** All keys and values, in the order in which they are written. */
  public Map<String, DocumentNode> entries() {
    return values;
  }
}
