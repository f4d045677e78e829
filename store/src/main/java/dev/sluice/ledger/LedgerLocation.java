package dev.sluice.ledger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Where a ledger is: a file of SQLite, or a database of PostgreSQL. */
public sealed interface LedgerLocation {
  /** Short beside a period of 10 s: who decides must not wait for a database that is gone. */
  Duration PATIENCE = Duration.ofSeconds(5);

  /** Opens a new connection, for somebody who has {@link #PATIENCE}. */
  default Connection connect() throws SQLException {
    return connect(PATIENCE);
  }

  /**
   * Opens a new connection.
   *
   * @param patience after how long without an answer a database counts as gone, in whole seconds
   */
  Connection connect(Duration patience) throws SQLException;

  /**
   * Reads what an administrator wrote: a path, or {@code postgresql://user@host:port/database}.
   *
   * @param directory where a path without a slash in front begins
   * @throws IllegalArgumentException for anything else, with what was expected
   */
  static LedgerLocation parse(String text, Path directory) {
    if (text.startsWith(Postgres.SCHEME + "://")) {
      return Postgres.parse(text);
    }
    if (text.isEmpty() || text.contains("://")) {
      throw new IllegalArgumentException(
          "expected a path, or postgresql://user@host:port/database");
    }
    try {
      return new SqliteFile(directory.resolve(text).normalize());
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("expected a path without a zero byte", e);
    }
  }

  /** A file of SQLite. */
  record SqliteFile(Path path) implements LedgerLocation {
    /** How long to wait for another process that reads or writes the file just now. */
    private static final long BUSY_MILLIS_MAX = 2_000;

    @Override
    public Connection connect(Duration patience) throws SQLException {
      Properties properties = new Properties();
      // A rollback journal, not a write-ahead log: only then does SQLite notice on every write
      // that the file was moved away under it. EXTRA is durable against loss of power, too.
      properties.setProperty("journal_mode", "DELETE");
      properties.setProperty("synchronous", "EXTRA");
      properties.setProperty("foreign_keys", "true");
      properties.setProperty(
          "busy_timeout", Long.toString(Math.min(BUSY_MILLIS_MAX, patience.toMillis())));
      properties.setProperty("transaction_mode", "IMMEDIATE");
      Path parent = path.toAbsolutePath().getParent();
      if (parent != null && !Files.isDirectory(parent)) {
        throw new SQLException("there is no directory " + parent);
      }
      return DriverManager.getConnection("jdbc:sqlite:" + path, properties);
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * A database of PostgreSQL. Its password is where PostgreSQL's own programs look for it: in
   * {@code ~/.pgpass} or in the environment.
   *
   * <p>Off loopback it is spoken to over TLS, by a name that its certificate has and an authority
   * that is known here ({@code sslmode=verify-full}); whoever wants less says so in the address.
   *
   * @param options further settings of the connection, as in {@code sslrootcert=/etc/…&…}
   */
  record Postgres(String host, int port, String database, String user, String options)
      implements LedgerLocation {
    static final String SCHEME = "postgresql";

    private static final int PORT = 5432;

    /** What SQL calls a connection that the server refused, and one that failed. */
    private static final String REJECTED = "08004";

    private static final String FAILED = "08006";

    /** What is promised of a connection over TLS, from nothing to all. */
    private static final List<String> TLS_MODES =
        List.of("disable", "allow", "prefer", "require", "verify-ca", "verify-full");

    static Postgres parse(String text) {
      URI uri;
      try {
        uri = new URI(text);
      } catch (URISyntaxException e) {
        throw refusal(e);
      }
      String database = uri.getPath();
      String user = uri.getUserInfo();
      if (uri.getHost() == null || database == null || database.length() < 2 || user == null) {
        throw refusal(null);
      }
      if (user.contains(":")) {
        throw new IllegalArgumentException(
            "expected no password here; put it into ~/.pgpass or PGPASSWORD");
      }
      String options = uri.getRawQuery();
      Postgres parsed =
          new Postgres(
              uri.getHost(),
              uri.getPort() < 0 ? PORT : uri.getPort(),
              database.substring(1),
              user,
              options == null ? "" : options);
      if (!TLS_MODES.contains(parsed.tlsMode())) {
        throw new IllegalArgumentException(
            "sslmode="
                + parsed.tlsMode()
                + "; expected one of "
                + String.join(", ", TLS_MODES)
                + " (without it: verify-full, or prefer on loopback)");
      }
      return parsed;
    }

    /** How far the connection is secured: as written, else all the way unless it is on loopback. */
    String tlsMode() {
      String written = option("sslmode");
      return written != null ? written : isLoopback() ? "prefer" : TLS_MODES.getLast();
    }

    private @Nullable String option(String key) {
      String found = null;
      for (String option : options.split("&", -1)) {
        if (option.startsWith(key + "=")) {
          found = option.substring(key.length() + 1);
        }
      }
      return found;
    }

    /** By what is written, so that no name service is asked who could be anybody. */
    private boolean isLoopback() {
      if (host.equalsIgnoreCase("localhost")) {
        return true;
      }
      try {
        return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
      } catch (IllegalArgumentException e) {
        // A name.
        return false;
      }
    }

    private static IllegalArgumentException refusal(@Nullable Throwable e) {
      return new IllegalArgumentException("expected postgresql://user@host:port/database", e);
    }

    @Override
    public Connection connect(Duration patience) throws SQLException {
      Properties properties = new Properties();
      properties.setProperty("user", user);
      properties.setProperty("ApplicationName", "sluice");
      properties.setProperty("sslmode", tlsMode());
      String seconds = Long.toString(patience.toSeconds());
      properties.setProperty("connectTimeout", seconds);
      properties.setProperty("socketTimeout", seconds);
      // Whoever is stopped in the midst of a transaction must not keep its successor out.
      properties.setProperty("options", "-c idle_in_transaction_session_timeout=" + seconds + "s");
      String url =
          String.format(
              Locale.ROOT,
              "jdbc:%s://%s:%d/%s%s",
              SCHEME,
              host,
              port,
              database,
              options.isEmpty() ? "" : "?" + options);
      Path authority = authority();
      if (authority != null && !Files.isReadable(authority)) {
        throw new SQLException(
            authority
                + " cannot be read; expected the certificate of the authority that has signed the"
                + " server's there, or ?sslrootcert=/… behind the address with where it is");
      }
      try {
        return DriverManager.getConnection(url, properties);
      } catch (SQLException e) {
        String words = tlsTrouble(e, patience);
        throw words == null ? e : new SQLException(words, e.getSQLState(), e);
      }
    }

    private boolean needsTls() {
      return TLS_MODES.indexOf(tlsMode()) >= TLS_MODES.indexOf("require");
    }

    /** Where the authority is that must have signed its certificate; null where any will do. */
    private @Nullable Path authority() {
      if (!tlsMode().startsWith("verify-") || option("sslfactory") != null) {
        return null;
      }
      String written = option("sslrootcert");
      return written == null
          ? Path.of(System.getProperty("user.home"), ".postgresql", "root.crt")
          : Path.of(URLDecoder.decode(written, StandardCharsets.UTF_8));
    }

    /**
     * What is wrong with TLS, and what to do about it; null where it is something else. The driver
     * says it in the language of the machine, so that its words cannot be gone by.
     */
    private @Nullable String tlsTrouble(SQLException e, Duration patience) {
      if (REJECTED.equals(e.getSQLState()) && needsTls() && !offersTls(patience)) {
        return "it has no TLS, and sslmode is "
            + tlsMode()
            + ": set ssl = on in its postgresql.conf, or write ?sslmode=disable behind the address"
            + " if nobody else can listen on the way there";
      }
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof SSLException) {
          return "its certificate was not signed by "
              + authority()
              + ", or TLS failed otherwise: "
              + cause.getMessage();
        }
      }
      return FAILED.equals(e.getSQLState())
              && e.getCause() == null
              && tlsMode().equals("verify-full")
          ? "its certificate is not for " + host + " (" + e.getMessage() + ")"
          : null;
    }

    /** Asks the server, as the driver did, whether it speaks TLS. */
    private boolean offersTls(Duration patience) {
      try (Socket socket = new Socket()) {
        socket.setSoTimeout((int) patience.toMillis());
        socket.connect(
            new InetSocketAddress(host.replaceAll("[\\[\\]]", ""), port),
            (int) patience.toMillis());
        // The length of the question, and a number for it.
        socket.getOutputStream().write(ByteBuffer.allocate(8).putInt(8).putInt(80_877_103).array());
        return socket.getInputStream().read() == 'S';
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s://%s@%s:%d/%s", SCHEME, user, host, port, database);
    }
  }
}
