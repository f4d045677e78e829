package dev.sluice.web.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an answer, their type, and the same bytes compressed where that is worth it.
 * Immutable.
 */
public final class Content {
  /** Below this the headers outweigh what is saved. */
  private static final int COMPRESSED_FROM_BYTES = 1_024;

  private static final int ETAG_BYTES = 12;

  private final String type;
  private final byte[] plain;
  private final byte @Nullable [] compressed;
  private final @Nullable String etag;

  private Content(String type, byte[] plain, byte @Nullable [] compressed, @Nullable String etag) {
    this.type = type;
    this.plain = plain;
    this.compressed = compressed;
    this.etag = etag;
  }

  /** Content that stays: compressed once, and known by its ETag to whoever asks again. */
  public static Content lasting(String type, byte[] bytes) {
    return new Content(type, bytes.clone(), compressed(bytes), etag(bytes));
  }

  /** Content made for one answer. */
  public static Content passing(String type, byte[] bytes) {
    return new Content(type, bytes.clone(), compressed(bytes), null);
  }

  private static byte @Nullable [] compressed(byte[] bytes) {
    if (bytes.length < COMPRESSED_FROM_BYTES) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot be written", e);
    }
    return out.size() < bytes.length ? out.toByteArray() : null;
  }

  private static String etag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  String type() {
    return type;
  }

  /** What whoever has it already can name; null for content made for one answer. */
  @Nullable String etag() {
    return etag;
  }

  /** How many bytes go over the wire to somebody who takes gzip. */
  public int transferredBytes() {
    return compressed == null ? plain.length : compressed.length;
  }

  /** The bytes compressed; null where that is not worth it. */
  byte @Nullable [] compressedBytes() {
    return compressed;
  }

  byte[] plainBytes() {
    return plain;
  }
}
