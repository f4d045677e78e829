package dev.sluice.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.testkit.ThrowAwayPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL for one test class, with as many schemas as it wants. */
public final class PostgresForTests implements AutoCloseable {
  /** Where the driver looks for passwords unless this names another file. */
  public static final String PASSWORD_FILE = "org.postgresql.pgpassfile";

  private final ThrowAwayPostgres server;
  private final AtomicInteger schemas = new AtomicInteger();

  private PostgresForTests(ThrowAwayPostgres server) {
    this.server = server;
    System.setProperty(PASSWORD_FILE, server.passFile().toString());
  }

  /** Starts it; skips the test where Debian's package postgresql is missing. */
  public static PostgresForTests start() throws IOException {
    Path programs = ThrowAwayPostgres.programs();
    assumeTrue(programs != null, "there is no PostgreSQL here (Debian: postgresql)");
    if (programs == null) {
      throw new IllegalStateException("the assumption above ends the test");
    }
    return new PostgresForTests(ThrowAwayPostgres.start(programs));
  }

  public ThrowAwayPostgres server() {
    return server;
  }

  /** The address of a schema that has no tables yet. */
  public String freshAddress() throws SQLException {
    String name = "store" + schemas.incrementAndGet();
    try (Connection connection = location(server.address("postgres")).connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("CREATE SCHEMA " + name);
    }
    return server.address("postgres?currentSchema=" + name);
  }

  public static LedgerLocation location(String address) {
    return LedgerLocation.parse(address, Path.of("/"));
  }

  @Override
  public void close() throws IOException {
    System.clearProperty(PASSWORD_FILE);
    server.close();
  }
}
