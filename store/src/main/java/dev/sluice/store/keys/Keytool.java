package dev.sluice.store.keys;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes keys and certificates by the program that every Java runtime has. Keys are on the curve
 * P-256, which all TLS libraries know and which signs fast.
 */
final class Keytool {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PASSWORD_VARIABLE = "SLUICE_KEYTOOL_PASSWORD";
  private static final String AUTHORITY = "authority";
  private static final String MADE = "made";

  private Keytool() {}

  /** A key, and the certificate that goes with it. */
  record KeyAndCertificate(PrivateKey key, X509Certificate certificate) {}

  /** An authority of our own, which can sign certificates and no further authorities. */
  static KeyAndCertificate makeAuthority(String name, int days) {
    return make(
        null,
        name,
        days,
        List.of("bc:critical=ca:true,pathlen:0", "ku:critical=keyCertSign,cRLSign"));
  }

  /**
   * A certificate for somebody who both calls and is called.
   *
   * @param alternatives the names under which it can be called, as {@code dns:…} and {@code ip:…}
   */
  static KeyAndCertificate sign(
      KeyAndCertificate authority, String name, List<String> alternatives, int days) {
    return make(
        authority,
        name,
        days,
        List.of(
            "ku:critical=digitalSignature",
            "eku=serverAuth,clientAuth",
            "san=" + String.join(",", alternatives)));
  }

  private static KeyAndCertificate make(
      @Nullable KeyAndCertificate signer, String name, int days, List<String> extensions) {
    String password = UUID.randomUUID().toString();
    try {
      Path directory =
          Files.createTempDirectory(
              "sluice-keys",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path file = directory.resolve("store.p12");
      try {
        List<String> command =
            new ArrayList<>(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    // It runs for less than a second: a larger compiler would not pay off.
                    "-J-XX:TieredStopAtLevel=1",
                    "-J-XX:+UseSerialGC",
                    "-genkeypair",
                    "-alias",
                    MADE,
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-sigalg",
                    "SHA256withECDSA",
                    "-dname",
                    "CN=" + name,
                    "-validity",
                    Integer.toString(days),
                    "-storetype",
                    "PKCS12",
                    "-keystore",
                    file.toString(),
                    "-storepass:env",
                    PASSWORD_VARIABLE));
        for (String extension : extensions) {
          command.addAll(List.of("-ext", extension));
        }
        if (signer != null) {
          write(signer, file, password);
          command.addAll(List.of("-signer", AUTHORITY));
        }
        run(command, password);
        return read(file, password);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(directory);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new KeyException("no certificate can be made for " + name + ": " + e.getMessage(), e);
    }
  }

  private static void write(KeyAndCertificate signer, Path file, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        AUTHORITY, signer.key(), password.toCharArray(), new Certificate[] {signer.certificate()});
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
  }

  private static KeyAndCertificate read(Path file, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, password.toCharArray());
    }
    return new KeyAndCertificate(
        (PrivateKey) store.getKey(MADE, password.toCharArray()),
        (X509Certificate) store.getCertificate(MADE));
  }

  private static void run(List<String> command, String password) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(PASSWORD_VARIABLE, password);
    // It would print the variables that its own runtime picks up.
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    process.getOutputStream().close();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException("keytool did not end");
      }
      if (process.exitValue() != 0) {
        throw new IOException("keytool failed: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
