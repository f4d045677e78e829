package dev.sluice.store.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** What a program needs to speak TLS with others that have certificates of our authority. */
public final class TlsContexts {
  private static final char[] NO_PASSWORD = new char[0];

  private TlsContexts() {}

  /** Trusts those whom the authority has signed, and shows nothing itself. */
  public static SSLContext trusting(Path authority) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust(authority).getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyException(authority + ": cannot be used: " + e.getMessage(), e);
    }
  }

  /** Trusts those whom the authority has signed, and shows a certificate of its own. */
  public static SSLContext mutual(Path certificate, Path key, Path authority) {
    try {
      PrivateFiles.requirePrivate(key);
      KeyStore own = emptyStore();
      own.setKeyEntry(
          "own",
          Pem.key(Files.readString(key)),
          NO_PASSWORD,
          new Certificate[] {Pem.certificate(Files.readString(certificate))});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust(authority).getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyException(certificate + " and " + key + ": " + e.getMessage(), e);
    }
  }

  /** Says of certificates whether the authority has signed them, and whether they count now. */
  public static X509TrustManager trustManager(Path authority) {
    try {
      for (TrustManager manager : trust(authority).getTrustManagers()) {
        if (manager instanceof X509TrustManager found) {
          return found;
        }
      }
      throw new GeneralSecurityException("this Java cannot check certificates");
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyException(authority + ": cannot be used: " + e.getMessage(), e);
    }
  }

  private static TrustManagerFactory trust(Path authority)
      throws IOException, GeneralSecurityException {
    KeyStore trusted = emptyStore();
    int number = 0;
    for (Certificate one : Pem.certificates(Files.readString(authority))) {
      trusted.setCertificateEntry("authority " + number++, one);
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    return trust;
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }
}
