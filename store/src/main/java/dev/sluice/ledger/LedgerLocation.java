package dev.sluice.ledger;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
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
   * @param options further settings of the connection, as in {@code sslmode=require&…}
   */
  record Postgres(String host, int port, String database, String user, String options)
      implements LedgerLocation {
    static final String SCHEME = "postgresql";

    private static final int PORT = 5432;

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
      return new Postgres(
          uri.getHost(),
          uri.getPort() < 0 ? PORT : uri.getPort(),
          database.substring(1),
          user,
          options == null ? "" : options);
    }

    private static IllegalArgumentException refusal(@Nullable Throwable e) {
      return new IllegalArgumentException("expected postgresql://user@host:port/database", e);
    }

    @Override
    public Connection connect(Duration patience) throws SQLException {
      Properties properties = new Properties();
      properties.setProperty("user", user);
      properties.setProperty("ApplicationName", "sluice");
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
      return DriverManager.getConnection(url, properties);
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%s://%s@%s:%d/%s", SCHEME, user, host, port, database);
    }
  }
}
