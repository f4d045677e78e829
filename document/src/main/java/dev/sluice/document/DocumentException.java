package dev.sluice.document;

import java.io.Serial;

/** Something in a document is not as it should be. The message is one line and names the place. */
public final class DocumentException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private static final int SHOWN_LENGTH_MAX = 60;

  /** {@code problem} names the value and what was expected. */
  public DocumentException(Place place, String problem) {
    super(oneLine(place + ": " + problem));
  }

  /** A document that cannot be read at all. */
  public DocumentException(String file, String problem, Throwable cause) {
    super(oneLine(file + ": " + problem), cause);
  }

  /** About a value as it is written; shows not too much of it. */
  public static DocumentException about(Place place, String value, String problem) {
    return new DocumentException(place, quoted(value) + ": " + problem);
  }

  static String quoted(String text) {
    String cut =
        text.length() <= SHOWN_LENGTH_MAX ? text : text.substring(0, SHOWN_LENGTH_MAX) + "…";
    return "\"" + cut + "\"";
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
