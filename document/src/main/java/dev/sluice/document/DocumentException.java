package dev.sluice.document;

import java.io.Serial;

/** Something in a document is not as it should be. The message is one line and names the place. */
public final class DocumentException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** {@code problem} names the value and what was expected. */
  public DocumentException(Place place, String problem) {
    super(oneLine(place + ": " + problem));
  }

  /** A document that cannot be read at all. */
  public DocumentException(String file, String problem, Throwable cause) {
    super(oneLine(file + ": " + problem), cause);
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
