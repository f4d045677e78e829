package dev.sluice.gateway;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.gateway.files.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The numbers by which file handles name exports, kept in a file: a handle that a client got before
 * a restart must mean the same export after it. A number belongs to a path and a directory and is
 * never given to others, so that a handle for what was once exported opens nothing else.
 *
 * <p>Not thread-safe.
 */
final class ExportNumbers {
  private static final String FILE = "exports.json";

  private final Path file;
  private final Map<Export, Integer> numbers = new LinkedHashMap<>();

  /** A path that clients mount, and the directory behind it. */
  private record Export(String path, String directory) {}

  /** Reads what is known; throws {@link dev.sluice.document.DocumentException} if it is spoilt. */
  ExportNumbers(Path stateDirectory) {
    this.file = stateDirectory.resolve(FILE);
    if (Files.exists(file)) {
      read(Documents.read(file.toString(), InputStream.nullInputStream()));
    }
  }

  private void read(DocumentNode root) {
    for (DocumentNode node : root.map("exports").required("exports").list()) {
      DocumentMap map = node.map("number", "path", "directory");
      DocumentNode number = map.required("number");
      int value = (int) number.whole(1, Integer.MAX_VALUE);
      if (numbers.containsValue(value)) {
        throw number.error("expected a number of its own");
      }
      numbers.put(new Export(map.required("path").text(), map.required("directory").text()), value);
    }
  }

  /** The number of an export; a new one is on disk before it is given out. */
  int of(String path, Path directory) throws IOException {
    Export export = new Export(path, directory.toString());
    Integer known = numbers.get(export);
    if (known != null) {
      return known;
    }
    int number = numbers.values().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    numbers.put(export, number);
    write();
    return number;
  }

  private void write() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text().getBytes(StandardCharsets.UTF_8));
    DurableFiles.replace(
        file,
        out -> {
          while (bytes.hasRemaining()) {
            out.write(bytes);
          }
        });
  }

  private String text() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeArrayPropertyStart("exports");
      numbers.forEach((export, number) -> {
        json.writeStartObject();
        json.writeNumberProperty("number", number);
        json.writeStringProperty("path", export.path);
        json.writeStringProperty("directory", export.directory);
        json.writeEndObject();
      });
      json.writeEndArray();
      json.writeEndObject();
    }
    return text + "\n";
  }
}
