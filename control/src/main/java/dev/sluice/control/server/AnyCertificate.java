package dev.sluice.control.server;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Lets TLS end its handshake with callers whose certificates nobody has looked at. TLS then has
 * made sure that they hold the key; who signed it is looked at when they say who they are, before
 * anything else is listened to. A handshake that is broken off could tell neither the caller nor
 * our log why, and whoever shows no certificate at all gets as far.
 */
final class AnyCertificate extends X509ExtendedTrustManager {
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw noServers();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw noServers();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw noServers();
  }

  private static CertificateException noServers() {
    return new CertificateException("this is for callers, not for servers");
  }

  /** None, so that a caller shows the certificate it has, whoever signed it. */
  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
