package dev.sluice.nfs.rpc;

/**
 * The four bytes before every fragment of a record on a stream: its length, and whether it is the
 * record's last.
 */
public final class RecordMark {
  /** How many bytes a mark takes. */
  public static final int BYTES = 4;

  private static final int LAST = 0x8000_0000;

  private RecordMark() {}

  /** The mark of a fragment that ends its record. */
  public static int last(int length) {
    return LAST | length;
  }

  /** The mark of a fragment that others follow. */
  public static int more(int length) {
    return length;
  }

  public static boolean isLast(int mark) {
    return (mark & LAST) != 0;
  }

  /** The length of the fragment, without the mark. */
  public static int length(int mark) {
    return mark & ~LAST;
  }
}
