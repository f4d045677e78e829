package dev.sluice.sim.report.svg;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * XML text under construction. All text and all attribute values pass through {@link #escape}, so
 * that a job's name can neither break the page nor bring a script into it.
 */
public final class Xml {
  private final StringBuilder out = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Begins an element; attributes are names and values in turn. */
  public Xml open(String element, String... attributes) {
    start(element, attributes);
    out.append('>');
    open.push(element);
    return this;
  }

  /** Ends the element that was begun last. */
  public Xml close() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  /** An element with text alone. */
  public Xml element(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  /** An element without content: a void one of HTML, or any of SVG. */
  public Xml empty(String element, String... attributes) {
    start(element, attributes);
    out.append("/>");
    return this;
  }

  public Xml text(String text) {
    out.append(escape(text));
    return this;
  }

  /** Text that is XML already: another picture, or a style sheet of our own. */
  public Xml raw(String xml) {
    out.append(xml);
    return this;
  }

  public Xml newLine() {
    out.append('\n');
    return this;
  }

  private void start(String element, String... attributes) {
    if (attributes.length % 2 != 0) {
      throw new IllegalArgumentException("an attribute of " + element + " has no value");
    }
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      out.append(escape(attributes[i + 1])).append('"');
    }
  }

  /** The text, once all elements are closed. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("still open: " + open);
    }
    return out.toString();
  }

  /**
   * The text with what has a meaning in XML taken from it. What XML does not allow at all, and the
   * marks that turn the direction of writing, by which a name could disguise itself, become U+FFFD.
   */
  public static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(c -> {
          switch (c) {
            case '&' -> escaped.append("&amp;");
            case '<' -> escaped.append("&lt;");
            case '>' -> escaped.append("&gt;");
            case '"' -> escaped.append("&quot;");
            case '\'' -> escaped.append("&#39;");
            default -> escaped.appendCodePoint(isHarmless(c) ? c : 0xFFFD);
          }
        });
    return escaped.toString();
  }

  private static boolean isHarmless(int c) {
    if (c == '\n' || c == '\t') {
      return true;
    }
    boolean surrogate = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    boolean turnsDirection = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return !Character.isISOControl(c) && !surrogate && !turnsDirection && (c & 0xFFFE) != 0xFFFE;
  }
}
