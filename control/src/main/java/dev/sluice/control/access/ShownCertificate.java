package dev.sluice.control.access;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** What the certificate of a caller says, once somebody has looked who signed it. */
public sealed interface ShownCertificate {
  /** How a trust manager wants to be told that any kind of key will do. */
  String ANY_KEY = "UNKNOWN";

  /**
   * The caller has one that counts, with these names of hosts; none without a certificate.
   *
   * @param until when it ends; null without one
   */
  record Names(List<String> names, @Nullable Instant until) implements ShownCertificate {
    /** No certificate was shown. */
    public static final Names NONE = new Names(List.of(), null);

    public Names {
      names = List.copyOf(names);
    }
  }

  /** The caller has one that does not count. */
  record Refused(String reason) implements ShownCertificate {}

  /**
   * Looks at what a caller has shown, and has proved to hold the key of.
   *
   * @param chain its own certificate first; empty where it showed none
   */
  static ShownCertificate of(List<X509Certificate> chain, X509TrustManager authority) {
    if (chain.isEmpty()) {
      return Names.NONE;
    }
    X509Certificate own = chain.getFirst();
    try {
      authority.checkClientTrusted(chain.toArray(X509Certificate[]::new), ANY_KEY);
    } catch (CertificateException e) {
      return new Refused(
          "its certificate for "
              + own.getSubjectX500Principal().getName()
              + ", signed by "
              + own.getIssuerX500Principal().getName()
              + ", does not count: "
              + e.getMessage());
    }
    List<String> names = new ArrayList<>();
    try {
      Collection<List<?>> alternatives = own.getSubjectAlternativeNames();
      if (alternatives != null) {
        alternatives.forEach(entry -> names.add(String.valueOf(entry.get(1))));
      }
    } catch (CertificateParsingException e) {
      return new Refused("its certificate cannot be read: " + e.getMessage());
    }
    return names.isEmpty()
        ? new Refused("its certificate names nobody")
        : new Names(names, end(chain));
  }

  /** A chain counts for as long as all of it does. */
  private static Instant end(List<X509Certificate> chain) {
    Instant end = chain.getFirst().getNotAfter().toInstant();
    for (X509Certificate one : chain) {
      Instant its = one.getNotAfter().toInstant();
      end = its.isBefore(end) ? its : end;
    }
    return end;
  }
}
