package dev.sluice.core.policy;

/**
 * A policy's state as a text that says whose it is and when it was written, and by whose last line
 * one can tell whether it is whole:
 *
 * <pre>
 * sluice policy state
 * policy "adaptbf" 1 1763361234000000000
 * target "ost0" 1000 1 0
 * …
 * end 00f3a1c2d4e5b697
 * </pre>
 *
 * All of it is ASCII. The last line has a checksum (CRC-64, as of xz) of all before it.
 */
public final class StateText {
  /** More than a hundred thousand jobs need; a bound on what somebody can make us read. */
  public static final int LENGTH_MAX = 64 << 20;

  private static final String TITLE = "sluice policy state";
  private static final String POLICY = "policy";
  private static final String END = "\nend ";
  private static final int NAME_LENGTH_MAX = 100;
  private static final int CHECK_DIGITS = 16;
  private static final int END_LENGTH = END.length() + CHECK_DIGITS + 1;

  /** The polynomial of CRC-64/XZ, its bits in reverse. */
  private static final long POLYNOMIAL = 0xc96c5795d7870f42L;

  private static final long[] CHECKS_OF_BYTES = checksOfBytes();

  private StateText() {}

  /**
   * A state that was read.
   *
   * @param cluster the targets that it is about
   * @param writtenNanos when it was written, since 1970
   */
  public record Written<S>(S state, Cluster cluster, long writtenNanos) {}

  /**
   * Writes a state.
   *
   * @param cluster the targets that it is about
   * @param nowNanos since 1970
   * @throws IllegalStateException where it is too long to be kept
   */
  public static <S> String write(StateCodec<S> codec, S state, Cluster cluster, long nowNanos) {
    StringBuilder text = new StringBuilder(TITLE);
    StateWriter out = new StateWriter(text);
    out.line(POLICY).text(codec.name()).whole(codec.version()).whole(nowNanos);
    out.cluster(cluster);
    codec.write(state, out);
    String check = hexadecimal(check(text, text.length()));
    text.append(END).append(check).append('\n');
    if (text.length() > LENGTH_MAX) {
      throw new IllegalStateException(
          "the state of " + codec.name() + " would take more than " + LENGTH_MAX + " bytes");
    }
    return text.toString();
  }

  /**
   * Reads a state.
   *
   * <p>Theorem. Whatever was changed of a text, what is read is the state that was written, but
   * once in 2^64 changes, or nothing is.
   *
   * @throws UnreadableStateException for a text that is damaged, of another version, or another
   *     policy's
   * @throws UnfitStateException for a state that makes no sense with the policy's settings
   */
  public static <S> Written<S> read(StateCodec<S> codec, String text) {
    StateReader in = new StateReader(text, TITLE.length(), soundEnd(text), 1);
    in.line(POLICY);
    String name = in.text(NAME_LENGTH_MAX);
    if (!name.equals(codec.name())) {
      throw new UnreadableStateException(
          "line 2: expected the state of " + codec.name() + ", found that of " + name, null);
    }
    long version = in.whole(1, Integer.MAX_VALUE);
    if (version != codec.version()) {
      throw new UnreadableStateException(
          "line 2: expected version "
              + codec.version()
              + " of the state of "
              + name
              + ", found version "
              + version,
          null);
    }
    long writtenNanos = in.whole(0, Long.MAX_VALUE);
    try {
      Cluster cluster = in.cluster();
      S state = codec.read(in, cluster);
      in.end();
      return new Written<>(state, cluster, writtenNanos);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new UnreadableStateException(
          "line " + in.lineNumber() + ", or those before it: " + e.getMessage(), e);
    }
  }

  /** Where the last line begins; throws unless its checksum is that of what is before it. */
  private static int soundEnd(String text) {
    if (text.length() > LENGTH_MAX) {
      throw new UnreadableStateException(
          "expected at most " + LENGTH_MAX + " bytes, found " + text.length(), null);
    }
    if (!text.startsWith(TITLE + "\n")) {
      throw new UnreadableStateException("line 1: expected \"" + TITLE + "\"", null);
    }
    int end = text.length() - END_LENGTH;
    if (end < TITLE.length() || !text.startsWith(END, end) || !text.endsWith("\n")) {
      throw new UnreadableStateException(
          "expected a last line of \"end\" and a checksum: it was cut short, or changed", null);
    }
    String check = hexadecimal(check(text, end));
    if (!text.startsWith(check, end + END.length())) {
      throw new UnreadableStateException(
          "last line: expected the checksum of what is before it, "
              + check
              + ": something was changed",
          null);
    }
    return end;
  }

  private static long check(CharSequence text, int length) {
    long check = -1;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      check = CHECKS_OF_BYTES[(int) (check ^ c) & 0xff] ^ check >>> 8;
      // Nothing that we write; what is not a byte must not look like one.
      check ^= c >>> 8;
    }
    return ~check;
  }

  private static long[] checksOfBytes() {
    long[] checks = new long[256];
    for (int value = 0; value < checks.length; value++) {
      long check = value;
      for (int bit = 0; bit < 8; bit++) {
        check = check >>> 1 ^ ((check & 1) == 0 ? 0 : POLYNOMIAL);
      }
      checks[value] = check;
    }
    return checks;
  }

  private static String hexadecimal(long check) {
    String digits = Long.toHexString(check);
    return "0".repeat(CHECK_DIGITS - digits.length()) + digits;
  }
}
