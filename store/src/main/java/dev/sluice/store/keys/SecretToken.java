package dev.sluice.store.keys;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A secret that stands for whoever shows it: 256 random bits. Since nobody can guess those, a plain
 * digest of it gives nothing away.
 */
public final class SecretToken {
  private static final String PREFIX = "sluice_";
  private static final int RANDOM_BYTES = 32;
  private static final int LENGTH_MAX = 512;

  private final String text;

  private SecretToken(String text) {
    this.text = text;
  }

  /** A new one, which nobody has. */
  public static SecretToken random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new SecretToken(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** The one in a file; a file that others could read is refused. */
  public static SecretToken in(Path file) throws IOException {
    PrivateFiles.requirePrivate(file);
    return shown(Files.readString(file).strip());
  }

  /** One that somebody shows, whatever it holds. */
  public static SecretToken shown(String text) {
    // What is longer than any of ours is none of ours; no need to digest all of it.
    return new SecretToken(text.length() > LENGTH_MAX ? "" : text);
  }

  /** The secret itself, to be handed to whom it is for. */
  public String reveal() {
    return text;
  }

  /** What may be kept in its place. */
  Digest digest() {
    try {
      return new Digest(
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * Whether this is the digest of it, in hexadecimal digits. Takes the same time whatever differs.
   */
  public boolean hasDigest(String hex) {
    return digest().matches(Digest.parse(hex));
  }

  /** Not the secret, so that no log has it. */
  @Override
  public String toString() {
    return "a token";
  }

  /** What is kept of a token. */
  static final class Digest {
    private static final int BYTES = 32;

    private final byte[] bytes;

    private Digest(byte[] bytes) {
      this.bytes = bytes;
    }

    static Digest parse(String hex) {
      byte[] bytes;
      try {
        bytes = HexFormat.of().parseHex(hex);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("expected 64 hexadecimal digits", e);
      }
      if (bytes.length != BYTES) {
        throw new IllegalArgumentException("expected 64 hexadecimal digits");
      }
      return new Digest(bytes);
    }

    /** Takes the same time whatever differs. */
    boolean matches(Digest other) {
      return MessageDigest.isEqual(bytes, other.bytes);
    }

    String hex() {
      return HexFormat.of().formatHex(bytes);
    }
  }
}
