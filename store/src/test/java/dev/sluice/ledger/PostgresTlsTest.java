package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.store.PostgresForTests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real PostgreSQL, with and without a certificate. It is called by an address that is not a
 * loopback address and still leads to this machine.
 */
@Timeout(120)
class PostgresTlsTest {
  private static final String OFF_LOOPBACK = "0.0.0.0";

  @TempDir private Path directory;

  @Test
  void offLoopbackItIsTlsWithACertificateThatIsCheckedOrNothing() throws Exception {
    try (PostgresForTests postgres = PostgresForTests.start()) {
      Path root = authority("site");
      Path stranger = authority("stranger");

      assertRefused(
          postgres,
          "sslrootcert=" + root,
          "it has no TLS, and sslmode is verify-full",
          "?sslmode=disable behind the address");
      assertThat(isEncrypted(postgres, OFF_LOOPBACK, "sslmode=disable")).isFalse();
      assertThat(isEncrypted(postgres, "127.0.0.1", "")).isFalse();

      Path key = certificate("server", "site", "IP:" + OFF_LOOPBACK);
      postgres.server().stop();
      postgres.server().useTls(directory.resolve("server.crt"), key);
      postgres.server().start();

      assertThat(isEncrypted(postgres, OFF_LOOPBACK, "sslrootcert=" + root)).isTrue();
      assertThat(isEncrypted(postgres, "127.0.0.1", "")).isTrue();
      assertThat(isEncrypted(postgres, OFF_LOOPBACK, "sslmode=require")).isTrue();
      assertRefused(
          postgres, "sslrootcert=" + stranger, "its certificate was not signed by " + stranger);
      assertRefused(
          postgres,
          "sslrootcert=" + directory.resolve("missing.crt"),
          "missing.crt",
          "?sslrootcert=/… behind the address");
      // By a name that the certificate does not have.
      assertThatThrownBy(() ->
              location(postgres, "127.0.0.1", "sslmode=verify-full&sslrootcert=" + root).connect())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("its certificate is not for 127.0.0.1");
    }
  }

  private static LedgerLocation location(PostgresForTests postgres, String host, String options) {
    return PostgresForTests.location(
        postgres.server().address(host, "postgres" + (options.isEmpty() ? "" : "?" + options)));
  }

  private static boolean isEncrypted(PostgresForTests postgres, String host, String options)
      throws SQLException {
    try (Connection connection = location(postgres, host, options).connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
      assertThat(row.next()).isTrue();
      return row.getBoolean(1);
    }
  }

  private static void assertRefused(PostgresForTests postgres, String options, String... words) {
    assertThatThrownBy(() -> location(postgres, OFF_LOOPBACK, options).connect())
        .isInstanceOf(SQLException.class)
        .message()
        .contains(words);
  }

  /** Makes an authority as a site may have one. */
  private Path authority(String name) throws Exception {
    openssl(
        List.of("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        List.of("-days", "2", "-subj", "/CN=" + name),
        List.of("-keyout", name + ".key", "-out", name + ".crt"));
    return directory.resolve(name + ".crt");
  }

  /** Makes a certificate for a server, and answers where its key is. */
  private Path certificate(String name, String authority, String alternative) throws Exception {
    openssl(
        List.of("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        List.of("-subj", "/CN=" + name, "-addext", "subjectAltName=" + alternative),
        List.of("-keyout", name + ".key", "-out", name + ".csr"));
    openssl(
        List.of("x509", "-req", "-in", name + ".csr", "-CA", authority + ".crt"),
        List.of("-CAkey", authority + ".key", "-CAcreateserial", "-copy_extensions", "copy"),
        List.of("-days", "2", "-out", name + ".crt"));
    return directory.resolve(name + ".key");
  }

  @SafeVarargs
  private void openssl(List<String>... arguments) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "there is no openssl here");
    List<String> command = new ArrayList<>(List.of("/usr/bin/openssl"));
    for (List<String> some : arguments) {
      command.addAll(some);
    }
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
