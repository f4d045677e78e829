package dev.sluice.access;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows people by the tokens they hold. Somebody on this machine without a token may look, and
 * somebody on another may do nothing. Immutable.
 */
public final class AccessTokens implements Access {
  /** Longer than anybody can guess, in characters. */
  public static final int TOKEN_LENGTH_MIN = 16;

  private static final int TOKEN_LENGTH_MAX = 512;
  private static final int TOKENS_MAX = 1_000;
  private static final int RANDOM_BYTES = 16;
  private static final Caller VISITOR = new Caller("a visitor on this machine", Role.READ);

  private final List<Known> known;

  /** A holder of a token; only the token's digest is kept. */
  private record Known(Caller caller, Digest digest) {}

  private static final class Digest {
    private final byte[] bytes;

    Digest(String token) {
      try {
        bytes = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    /** Takes the same time whatever differs. */
    boolean matches(Digest other) {
      return MessageDigest.isEqual(bytes, other.bytes);
    }
  }

  private AccessTokens(List<Known> known) {
    this.known = List.copyOf(known);
  }

  /** Nobody has a token. */
  public static AccessTokens none() {
    return new AccessTokens(List.of());
  }

  /** These, and somebody who holds this token. */
  public AccessTokens with(Caller caller, String token) {
    List<Known> more = new ArrayList<>(known);
    more.add(new Known(caller, new Digest(token)));
    return new AccessTokens(more);
  }

  /** A token that nobody can guess. */
  public static String random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * Reads a file such as
   *
   * <pre>
   * tokens:
   *   - {who: anna, role: operate, token: 0b5c…}
   * </pre>
   *
   * <p>which nobody but its owner may read.
   */
  public static AccessTokens read(Path file) {
    checkPrivate(file);
    DocumentNode root = Documents.read(file.toString(), InputStream.nullInputStream());
    DocumentNode list = root.map("tokens").required("tokens");
    List<DocumentNode> entries = list.list();
    if (entries.size() > TOKENS_MAX) {
      throw list.error("expected at most " + TOKENS_MAX + " tokens");
    }
    AccessTokens tokens = none();
    for (DocumentNode entry : entries) {
      DocumentMap map = entry.map("who", "role", "token");
      tokens =
          tokens.with(
              new Caller(who(map.required("who")), role(map.required("role"))),
              map.required("token").parsed(AccessTokens::longEnough));
    }
    return tokens;
  }

  private static void checkPrivate(Path file) {
    Set<PosixFilePermission> permissions;
    try {
      permissions = Files.getPosixFilePermissions(file);
    } catch (IOException | UnsupportedOperationException e) {
      // Reading it says what is wrong.
      return;
    }
    boolean open =
        permissions.stream()
            .anyMatch(
                right -> right.name().startsWith("OTHERS_") || right.name().startsWith("GROUP_"));
    if (open) {
      throw new IllegalArgumentException(
          file + ": others may read or write these tokens; expected chmod 600");
    }
  }

  private static String who(DocumentNode node) {
    String who = node.text();
    if (!who.matches("[\\p{L}\\p{N}][\\p{L}\\p{N} ._@-]{0,63}")) {
      throw node.error("expected a name of 1 to 64 letters, digits, blanks and ._@-");
    }
    return who;
  }

  private static Role role(DocumentNode node) {
    List<String> words =
        Arrays.stream(Role.values()).map(role -> role.name().toLowerCase(Locale.ROOT)).toList();
    return Role.valueOf(node.oneOf(words).toUpperCase(Locale.ROOT));
  }

  private static String longEnough(String token) {
    if (token.length() < TOKEN_LENGTH_MIN || token.length() > TOKEN_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "expected a token of " + TOKEN_LENGTH_MIN + " to " + TOKEN_LENGTH_MAX + " characters");
    }
    return token;
  }

  @Override
  public Optional<Caller> caller(@Nullable String token, boolean fromThisMachine) {
    if (token == null) {
      return fromThisMachine ? Optional.of(VISITOR) : Optional.empty();
    }
    Digest given = new Digest(token);
    Caller found = null;
    for (Known holder : known) {
      if (holder.digest.matches(given)) {
        found = holder.caller;
      }
    }
    return Optional.ofNullable(found);
  }
}
