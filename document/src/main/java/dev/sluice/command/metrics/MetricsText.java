package dev.sluice.command.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * A page of metrics in the text format 0.0.4 of Prometheus, written from top to bottom: a family,
 * then all of its samples. Not thread-safe.
 */
public final class MetricsText {
  /** What to say that a page is. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final String PREFIX = "sluice_";

  private final StringBuilder text = new StringBuilder();
  private final Set<String> families = new HashSet<>();
  private String family = "";

  /** How a value behaves over time. */
  public enum MetricKind {
    COUNTER("counter"),
    GAUGE("gauge"),
    HISTOGRAM("histogram");

    private final String word;

    MetricKind(String word) {
      this.word = word;
    }
  }

  /**
   * Begins a family.
   *
   * @param name without {@code sluice_} in front
   * @param help one sentence about what is measured
   */
  public MetricsText family(String name, MetricKind kind, String help) {
    if (!name.matches("[a-z][a-z0-9_]*") || !families.add(name)) {
      throw new IllegalArgumentException(name + ": expected a name that no other family has");
    }
    family = PREFIX + name;
    text.append("# HELP ").append(family).append(' ');
    text.append(help.replace("\\", "\\\\").replace("\n", "\\n"));
    text.append("\n# TYPE ").append(family).append(' ').append(kind.word).append('\n');
    return this;
  }

  /**
   * Adds a sample to the family.
   *
   * @param labels names and values in turn
   */
  public MetricsText sample(double value, String... labels) {
    return sampleOf("", value, labels);
  }

  /**
   * Adds one of the numbers that make up a histogram.
   *
   * @param part {@code _bucket}, {@code _sum} or {@code _count}
   */
  public MetricsText sampleOf(String part, double value, String... labels) {
    text.append(family).append(part);
    for (int i = 0; i + 1 < labels.length; i += 2) {
      text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"");
      escape(labels[i + 1]);
      text.append('"');
    }
    text.append(labels.length == 0 ? " " : "} ").append(number(value)).append('\n');
    return this;
  }

  private void escape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }

  private static String number(double value) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** The page as far as it is written. */
  @Override
  public String toString() {
    return text.toString();
  }
}
