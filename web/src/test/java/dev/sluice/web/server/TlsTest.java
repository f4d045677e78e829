package dev.sluice.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.access.AccessTokens;
import dev.sluice.access.Role;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final String PASSWORD = "password";

  @TempDir Path directory;

  @Test
  void speaksTlsWithACertificateFromTextFiles() throws Exception {
    KeyStore made = made("store");
    PemFiles files = files(made);
    Routes routes =
        new Routes().add(HttpMethod.GET, "/", Role.READ, _ -> WebAnswer.json("{\"tls\":true}"));
    try (HttpEndpoint server =
            new HttpEndpoint(
                new HttpSettings(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    Set.of(),
                    files.context(),
                    HttpSettings.WRITE_PATIENCE),
                AccessTokens.none(),
                routes);
        HttpClient client =
            HttpClient.newBuilder().sslContext(trusting(made.getCertificate("server"))).build()) {
      assertThat(server.url()).startsWith("https://");
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(server.url())).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.body()).isEqualTo("{\"tls\":true}");
    }
  }

  /** The files are replaced one after the other, as an authority's tools do. */
  @Test
  void aCertificateThatIsRenewedIsShownWithoutARestart() throws Exception {
    KeyStore first = made("first");
    KeyStore second = made("second");
    PemFiles files = files(first);
    X509ExtendedKeyManager shown = files.followed();
    assertThat(shown.getCertificateChain("server"))
        .containsExactly((X509Certificate) first.getCertificate("server"));

    pem("CERTIFICATE", second.getCertificate("server").getEncoded());
    TimePasses.forMillis(1_100);
    assertThat(shown.getPrivateKey("server")).as("half of a pair").isEqualTo(key(first));
    assertThatThrownBy(files::followed).hasMessageContaining("expected the key to");

    pem("PRIVATE KEY", key(second).getEncoded());
    Eventually.await(
        "the new one",
        () -> {
          X509Certificate[] now = shown.getCertificateChain("server");
          return now != null && now[0].equals(second.getCertificate("server"));
        });
    assertThat(shown.getPrivateKey("server")).isEqualTo(key(second));
  }

  private PemFiles files(KeyStore made) throws Exception {
    return new PemFiles(
        pem("CERTIFICATE", made.getCertificate("server").getEncoded()),
        pem("PRIVATE KEY", key(made).getEncoded()));
  }

  private static Key key(KeyStore made) throws Exception {
    return made.getKey("server", PASSWORD.toCharArray());
  }

  @Test
  void saysWhatIsWrongWithTheFiles() throws Exception {
    Path nonsense = Files.writeString(directory.resolve("nonsense.pem"), "nonsense");
    Path missing = directory.resolve("missing.pem");
    assertThatThrownBy(() -> new PemFiles(nonsense, nonsense).context())
        .hasMessageContaining("nonsense.pem")
        .hasMessageContaining("PKCS #8");
    assertThatThrownBy(() -> new PemFiles(missing, missing).context())
        .hasMessageContaining("missing.pem");
  }

  private KeyStore made(String name) throws Exception {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore read = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      read.load(in, PASSWORD.toCharArray());
    }
    return read;
  }

  private Path pem(String what, byte[] content) throws IOException {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, Base64.getMimeEncoder().encodeToString(content), what);
    return Files.writeString(directory.resolve(what.replace(' ', '-') + ".pem"), text);
  }

  private static SSLContext trusting(Certificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("server", certificate);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
