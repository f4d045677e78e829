package dev.sluice.lustre.tbf;

import dev.sluice.lustre.LustreJobId;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The name of one of our rules: a prefix that tells it from those of others, and the job's id where
 * that is short and plain, such as {@code sl_4711}; otherwise an underscore and a hash of it.
 */
public final class RuleName {
  /** More than this Lustre refuses or, in 2.12, writes past the end of its buffer. */
  public static final int LENGTH_MAX = 15;

  /** What a prefix may take: what is left must hold a hash that seldom meets another. */
  public static final int PREFIX_LENGTH_MAX = 7;

  private static final int BASE = 36;

  private RuleName() {}

  /** Whether a prefix may be used. */
  public static boolean isPrefix(String text) {
    return text.matches("[A-Za-z0-9_]{1," + PREFIX_LENGTH_MAX + "}");
  }

  /** Whether this could be the name of a rule at all. */
  public static boolean isName(String text) {
    return text.matches("[A-Za-z0-9_]{1," + LENGTH_MAX + "}");
  }

  /**
   * A name for a job's rule.
   *
   * @param attempt how many names of this job were taken by others
   */
  static String of(String prefix, LustreJobId job, int attempt) {
    int room = LENGTH_MAX - prefix.length();
    String id = job.bytes();
    if (attempt == 0 && id.length() <= room && isPlain(id)) {
      return prefix + id;
    }
    return prefix + "_" + hash(id + "\n" + attempt, room - 1);
  }

  /** Letters and digits only: no underscore, so that no plain id looks like a hash. */
  private static boolean isPlain(String id) {
    for (int i = 0; i < id.length(); i++) {
      char letter = id.charAt(i);
      boolean plain =
          (letter >= '0' && letter <= '9')
              || (letter >= 'a' && letter <= 'z')
              || (letter >= 'A' && letter <= 'Z');
      if (!plain) {
        return false;
      }
    }
    return true;
  }

  private static String hash(String text, int length) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] bytes = digest.digest(text.getBytes(StandardCharsets.ISO_8859_1));
      return new BigInteger(1, bytes).toString(BASE).substring(0, length);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
