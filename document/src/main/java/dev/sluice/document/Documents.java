package dev.sluice.document;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads documents; JSON is read as the YAML that it is. */
public final class Documents {
  /** Far more than any scenario or configuration needs; a bound on what is read into memory. */
  public static final int BYTES_MAX = 64 << 20;

  private Documents() {}

  /** Reads a file, or standard input for {@code -}. */
  public static DocumentNode read(String file, InputStream standardInput) {
    boolean standard = file.equals("-");
    String name = standard ? "standard input" : file;
    try {
      byte[] bytes;
      if (standard) {
        bytes = standardInput.readNBytes(BYTES_MAX + 1);
      } else {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
          bytes = in.readNBytes(BYTES_MAX + 1);
        }
      }
      if (bytes.length > BYTES_MAX) {
        throw new DocumentException(
            new Place(name, 1, 1), "larger than the " + (BYTES_MAX >> 20) + " MiB allowed");
      }
      return parse(name, decode(name, bytes));
    } catch (NoSuchFileException e) {
      throw new DocumentException(name, "no such file", e);
    } catch (IOException | InvalidPathException e) {
      throw new DocumentException(name, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static String decode(String name, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new DocumentException(name, "is not UTF-8 text", e);
    }
  }

  /** Reads a text; {@code name} is what errors call it. */
  public static DocumentNode parse(String name, String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(name)
            .setCodePointLimit(BYTES_MAX)
            .setAllowNonScalarKeys(true)
            .build();
    try {
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        throw new DocumentException(new Place(name, 1, 1), "the document is empty");
      }
      return new DocumentNode(name, "", root.get());
    } catch (MarkedYamlEngineException e) {
      throw new DocumentException(place(name, e.getProblemMark()), problem(e));
    } catch (YamlEngineException e) {
      throw new DocumentException(
          name, "is not YAML or JSON: " + firstLine(String.valueOf(e.getMessage())), e);
    } catch (StackOverflowError e) {
      throw new DocumentException(name, "is nested too deeply", e);
    }
  }

  static Place place(String name, Optional<Mark> mark) {
    return mark.map(m -> new Place(name, m.getLine() + 1, m.getColumn() + 1))
        .orElse(new Place(name, 1, 1));
  }

  private static String problem(MarkedYamlEngineException e) {
    String context = e.getContext();
    return (context == null || context.isEmpty() ? "" : context + ": ") + e.getProblem();
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
