package dev.sluice.gateway.target;

/**
 * What came of serving a request.
 *
 * @param operations how many operations it was: more than one where it did the work of several
 * @param bytes of file contents that were moved
 */
public record Served(long operations, int bytes) {
  /** One operation that moved no contents. */
  public static final Served ONE = new Served(1, 0);

  /** Nothing was done. */
  public static final Served NOTHING = new Served(0, 0);

  /** One operation that moved so many bytes. */
  public static Served moved(int bytes) {
    return bytes == 0 ? ONE : new Served(1, bytes);
  }
}
