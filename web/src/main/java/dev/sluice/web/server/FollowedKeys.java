package dev.sluice.web.server;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A certificate and its key that are read again when their files change, so that a certificate can
 * be renewed without a restart. Files that cannot be used change nothing, and the log says why.
 */
final class FollowedKeys extends X509ExtendedKeyManager {
  private static final System.Logger LOG = System.getLogger(FollowedKeys.class.getName());
  private static final long LOOK_NANOS = 1_000_000_000L;

  private final PemFiles files;
  private long lookedNanos = System.nanoTime();
  private Seen seen;
  private X509ExtendedKeyManager current;

  /** What tells two states of the files apart without reading them. */
  private record Seen(FileTime certificate, FileTime key) {
    static Seen of(PemFiles files) throws IOException {
      return new Seen(
          Files.getLastModifiedTime(files.certificate()), Files.getLastModifiedTime(files.key()));
    }
  }

  FollowedKeys(PemFiles files) throws IOException {
    this.files = files;
    this.current = files.keys();
    this.seen = Seen.of(files);
  }

  /** Whoever connects looks, at most once a second. */
  private synchronized X509ExtendedKeyManager current() {
    long nowNanos = System.nanoTime();
    if (nowNanos - lookedNanos >= LOOK_NANOS) {
      lookedNanos = nowNanos;
      look();
    }
    return current;
  }

  /** One file may be new and the other not yet: a pair that does not match is looked at again. */
  private void look() {
    try {
      Seen now = Seen.of(files);
      if (!now.equals(seen)) {
        current = files.keys();
        seen = now;
        LOG.log(System.Logger.Level.INFO, "a new certificate from " + files.certificate());
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the certificate stays as it was: " + e.getMessage());
    }
  }

  @Override
  public String @Nullable [] getClientAliases(String kind, Principal @Nullable [] issuers) {
    return current().getClientAliases(kind, issuers);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] kinds, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return current().chooseClientAlias(kinds, issuers, socket);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] kinds, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return current().chooseEngineClientAlias(kinds, issuers, engine);
  }

  @Override
  public String @Nullable [] getServerAliases(String kind, Principal @Nullable [] issuers) {
    return current().getServerAliases(kind, issuers);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String kind, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return current().chooseServerAlias(kind, issuers, socket);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String kind, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return current().chooseEngineServerAlias(kind, issuers, engine);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return current().getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return current().getPrivateKey(alias);
  }
}
