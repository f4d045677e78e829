package dev.sluice.document;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.text.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.snakeyaml.engine.v2.nodes.AnchorNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A value in a document. Every method that reads it throws an error that names its place. */
public final class DocumentNode {
  private final String file;
  private final String key;
  private final Node node;

  DocumentNode(String file, String key, Node node) {
    this.file = file;
    this.key = key;
    this.node = node;
    if (node.getAnchor().isPresent() || node instanceof AnchorNode) {
      throw error("expected a value written out; anchors and aliases are not supported");
    }
  }

  public Place place() {
    return Documents.place(file, node.getStartMark());
  }

  /** An error about this value, to be thrown: names its place, key and text. */
  public DocumentException error(String expected) {
    String name = key.isEmpty() ? "" : key + ": ";
    return new DocumentException(place(), name + shown() + expected);
  }

  private String shown() {
    if (node instanceof ScalarNode scalar) {
      return DocumentException.quoted(scalar.getValue()) + ": ";
    }
    return node instanceof MappingNode ? "a mapping: " : "a list: ";
  }

  /** A mapping; keys other than the known ones are refused. */
  public DocumentMap map(String... known) {
    return new DocumentMap(file, this, mapping(), List.of(known));
  }

  /** A mapping whose keys are names of the writer's choosing. */
  public DocumentMap openMap() {
    return new DocumentMap(file, this, mapping(), List.of());
  }

  private MappingNode mapping() {
    if (node instanceof MappingNode mapping) {
      return mapping;
    }
    throw error("expected a mapping of keys to values");
  }

  public boolean isMap() {
    return node instanceof MappingNode;
  }

  /** A list. */
  public List<DocumentNode> list() {
    if (!(node instanceof SequenceNode sequence)) {
      throw error("expected a list");
    }
    List<DocumentNode> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(new DocumentNode(file, key, item));
    }
    return items;
  }

  /** Any single value, as written. */
  public String text() {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw error("expected a single value");
  }

  /** A single value that {@code reader} understands; its complaint becomes the error's. */
  public <T> T parsed(Function<String, T> reader) {
    String text = text();
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()));
    }
  }

  /** A whole number from {@code min} to {@code max}. */
  public long whole(long min, long max) {
    String expected = "expected a whole number from " + min + " to " + max;
    long value;
    try {
      value = Long.parseLong(text());
    } catch (NumberFormatException e) {
      throw error(expected);
    }
    if (value < min || value > max) {
      throw error(expected);
    }
    return value;
  }

  /** A number from {@code min} to {@code max}. */
  public double number(double min, double max) {
    double value;
    try {
      value = Double.parseDouble(text());
    } catch (NumberFormatException e) {
      value = Double.NaN;
    }
    if (!(value >= min && value <= max)) {
      throw error("expected a number from " + plain(min) + " to " + plain(max));
    }
    return value;
  }

  private static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.format(Locale.ROOT, "%.0f", number)
        : Double.toString(number);
  }

  /** True or false. */
  public boolean bool() {
    return switch (text()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw error("expected true or false");
    };
  }

  /** A duration such as {@code 100 ms}, within bounds. */
  public long durationNanos(long minNanos, long maxNanos) {
    long nanos = parsed(Quantities::parseDurationNanos);
    if (nanos < minNanos || nanos > maxNanos) {
      throw error(
          "expected a duration from "
              + Quantities.formatDuration(minNanos)
              + " to "
              + Quantities.formatDuration(maxNanos));
    }
    return nanos;
  }

  /** A size such as {@code 64 KiB}, within bounds. */
  public long bytes(long min, long max) {
    long bytes = parsed(Quantities::parseBytes);
    if (bytes < min || bytes > max) {
      throw error(
          "expected a size from "
              + Quantities.formatBytes((double) min)
              + " to "
              + Quantities.formatBytes((double) max));
    }
    return bytes;
  }

  /** One of some words. */
  public String oneOf(List<String> words) {
    String text = text();
    if (!words.contains(text)) {
      throw error("expected one of " + String.join(", ", words) + Suggestion.of(text, words));
    }
    return text;
  }

  /** A rate such as {@code 200 MB/s}. */
  public Quantities.CountedRate rate() {
    return parsed(Quantities::parseRate);
  }
}
