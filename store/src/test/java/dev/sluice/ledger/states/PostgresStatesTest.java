package dev.sluice.ledger.states;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.testkit.ThrowAwayPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The same in a real PostgreSQL; skipped where Debian's package postgresql is missing. */
class PostgresStatesTest extends SqlStatesContract {
  private static final String PASSWORD_FILE = "org.postgresql.pgpassfile";
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static @Nullable ThrowAwayPostgres server;

  private String schema = "";

  @BeforeAll
  static void start() throws IOException {
    Path programs = ThrowAwayPostgres.programs();
    assumeTrue(programs != null, "there is no PostgreSQL here (Debian: postgresql)");
    if (programs != null) {
      server = ThrowAwayPostgres.start(programs);
      System.setProperty(PASSWORD_FILE, server.passFile().toString());
    }
  }

  @AfterAll
  static void stop() throws IOException {
    System.clearProperty(PASSWORD_FILE);
    if (server != null) {
      server.close();
    }
  }

  private static LedgerLocation location(String database) {
    if (server == null) {
      throw new IllegalStateException("the server was not started");
    }
    return LedgerLocation.parse(server.address(database), Path.of("/"));
  }

  @BeforeEach
  void makeSchema() throws Exception {
    schema = "states" + SCHEMAS.incrementAndGet();
    try (Connection connection = location("postgres").connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("CREATE SCHEMA " + schema);
    }
  }

  @Override
  LedgerLocation location() {
    return location("postgres?currentSchema=" + schema);
  }
}
