package dev.sluice.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A server's certificate and its key, in the text files that authorities hand out.
 *
 * @param certificate the certificate, and behind it those that vouch for it
 * @param key in PKCS #8, without a password
 */
public record PemFiles(Path certificate, Path key) {
  private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String KEY_END = "-----END PRIVATE KEY-----";
  private static final List<String> KEY_KINDS = List.of("EC", "RSA", "EdDSA");

  /** What a server shows to its clients. */
  public SSLContext context() throws IOException {
    char[] noPassword = new char[0];
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, noPassword);
      store.setKeyEntry("server", privateKey(), noPassword, certificates());
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, noPassword);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(certificate + " and " + key + ": " + e.getMessage(), e);
    }
  }

  private Certificate[] certificates() throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(certificate)) {
      Certificate[] read =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(in)
              .toArray(Certificate[]::new);
      if (read.length == 0) {
        throw new IOException(certificate + ": expected a certificate in PEM");
      }
      return read;
    }
  }

  private PrivateKey privateKey() throws IOException, GeneralSecurityException {
    String text = Files.readString(key);
    int begin = text.indexOf(KEY_BEGIN);
    int end = text.indexOf(KEY_END);
    if (begin < 0 || end < begin) {
      throw new IOException(key + ": expected a key in PKCS #8, which begins with " + KEY_BEGIN);
    }
    PKCS8EncodedKeySpec encoded =
        new PKCS8EncodedKeySpec(
            Base64.getMimeDecoder().decode(text.substring(begin + KEY_BEGIN.length(), end)));
    for (String kind : KEY_KINDS) {
      try {
        return KeyFactory.getInstance(kind).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // Another kind, then.
      }
    }
    throw new IOException(key + ": expected a key of one of the kinds " + KEY_KINDS);
  }
}
