package dev.sluice.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A change that was made, as a line of an {@link AuditLog}.
 *
 * @param number 1 for the first, then each one more
 * @param about what kind of thing was changed, in one word
 * @param before the seal of the record before, so that none can be taken out or put in between
 * @param seal over all the rest, with the log's key
 */
public record AuditRecord(
    long number, Instant at, String who, String about, String what, String before, String seal) {
  /** What the first record has in the place of a seal before it. */
  static final String NOTHING_BEFORE = "0".repeat(64);

  private static final String SEPARATOR = "\t";
  private static final int FIELDS = 7;
  private static final int WHO_LENGTH_MAX = 200;
  private static final int WHAT_LENGTH_MAX = 2_000;
  private static final String SEALING = "HmacSHA256";

  /** A record with its seal; what cannot stand in a line is replaced, and what is long is cut. */
  static AuditRecord sealed(
      long number, Instant at, String who, String about, String what, String before, byte[] key) {
    AuditRecord open =
        new AuditRecord(
            number,
            at,
            tame(who, WHO_LENGTH_MAX),
            tame(about, WHO_LENGTH_MAX),
            tame(what, WHAT_LENGTH_MAX),
            before,
            "");
    return new AuditRecord(
        number, at, open.who, open.about, open.what, before, seal(open.text(), key));
  }

  private static String tame(String text, int lengthMax) {
    String cut = text.length() > lengthMax ? text.substring(0, lengthMax) + "…" : text;
    StringBuilder tame = new StringBuilder();
    cut.codePoints()
        .forEach(point ->
            tame.appendCodePoint(
                Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE
                    ? '?'
                    : point));
    return tame.toString();
  }

  /** What the seal is over. */
  private String text() {
    return String.join(
        SEPARATOR, List.of(Long.toString(number), at.toString(), who, about, what, before));
  }

  /** As it stands in the file, with the end of the line. */
  String line() {
    return text() + SEPARATOR + seal + "\n";
  }

  /** Reads a line without its end; null where it is no record. */
  static @Nullable AuditRecord parse(String line) {
    String[] fields = line.split(SEPARATOR, -1);
    if (fields.length != FIELDS) {
      return null;
    }
    try {
      return new AuditRecord(
          Long.parseLong(fields[0]),
          Instant.parse(fields[1]),
          fields[2],
          fields[3],
          fields[4],
          fields[5],
          fields[6]);
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }

  /** Whether nobody without the key has written or changed it. */
  boolean isSealedWith(byte[] key) {
    return seal.equals(seal(text(), key));
  }

  private static String seal(String text, byte[] key) {
    try {
      Mac mac = Mac.getInstance(SEALING);
      mac.init(new SecretKeySpec(key, SEALING));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + SEALING, e);
    }
  }
}
