package dev.sluice.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedKeyManager;

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

  /**
   * What a server shows to its clients. Files that are replaced are shown to those who connect from
   * then on, within a second or two.
   */
  public SSLContext context() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {followed()}, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(certificate + " and " + key + ": " + e.getMessage(), e);
    }
  }

  /** Shows the certificate that is in the files now, whenever somebody connects. */
  public X509ExtendedKeyManager followed() throws IOException {
    return new FollowedKeys(this);
  }

  /** Shows what is in the files at this moment. */
  X509ExtendedKeyManager keys() throws IOException {
    char[] noPassword = new char[0];
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, noPassword);
      PrivateKey own = privateKey();
      Certificate[] chain = certificates();
      requireMatching(own, chain[0]);
      store.setKeyEntry("server", own, noPassword, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, noPassword);
      for (KeyManager manager : keys.getKeyManagers()) {
        if (manager instanceof X509ExtendedKeyManager found) {
          return found;
        }
      }
      throw new GeneralSecurityException("this Java cannot show certificates");
    } catch (GeneralSecurityException e) {
      throw new IOException(certificate + " and " + key + ": " + e.getMessage(), e);
    }
  }

  /** What the key signs, the certificate must vouch for; else every client would be turned away. */
  private void requireMatching(PrivateKey own, Certificate shown)
      throws IOException, GeneralSecurityException {
    byte[] something = {1, 2, 3};
    String kind = own.getAlgorithm();
    String signing =
        switch (kind) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> kind;
        };
    Signature signature = Signature.getInstance(signing);
    signature.initSign(own);
    signature.update(something);
    byte[] signed = signature.sign();
    boolean matches = kind.equals(shown.getPublicKey().getAlgorithm());
    if (matches) {
      signature.initVerify(shown.getPublicKey());
      signature.update(something);
      matches = signature.verify(signed);
    }
    if (!matches) {
      throw new IOException(key + ": expected the key to " + certificate);
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
