package dev.sluice.store.keys;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys as the text that every program can read. */
final class Pem {
  private static final int LINE_LENGTH = 64;
  private static final String KEY_BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String KEY_END = "-----END PRIVATE KEY-----";

  private Pem() {}

  static String text(Certificate certificate) throws GeneralSecurityException {
    return block("CERTIFICATE", certificate.getEncoded());
  }

  static String text(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  private static String block(String kind, byte[] bytes) {
    Base64.Encoder encoder =
        Base64.getMimeEncoder(LINE_LENGTH, "\n".getBytes(StandardCharsets.US_ASCII));
    return "-----BEGIN "
        + kind
        + "-----\n"
        + encoder.encodeToString(bytes)
        + "\n-----END "
        + kind
        + "-----\n";
  }

  static X509Certificate certificate(String text) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }

  /** All certificates in a text; at least one. */
  static List<X509Certificate> certificates(String text) throws GeneralSecurityException {
    List<X509Certificate> all = new ArrayList<>();
    for (Certificate one :
        CertificateFactory.getInstance("X.509")
            .generateCertificates(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
      all.add((X509Certificate) one);
    }
    if (all.isEmpty()) {
      throw new GeneralSecurityException("there is no certificate in it");
    }
    return all;
  }

  /** A key on an elliptic curve, which is what we make. */
  static PrivateKey key(String text) throws GeneralSecurityException {
    int begin = text.indexOf(KEY_BEGIN);
    int end = text.indexOf(KEY_END);
    if (begin < 0 || end < begin) {
      throw new GeneralSecurityException("expected a key that begins with " + KEY_BEGIN);
    }
    byte[] bytes = Base64.getMimeDecoder().decode(text.substring(begin + KEY_BEGIN.length(), end));
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(bytes));
  }
}
