package dev.sluice.store.documents;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.PostgresForTests;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresHistoryTest extends HistoryContract {
  private static @Nullable PostgresForTests postgres;

  @BeforeAll
  static void start() throws IOException {
    postgres = PostgresForTests.start();
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  @Override
  LedgerLocation freshLocation() throws SQLException {
    return PostgresForTests.location(Objects.requireNonNull(postgres).freshAddress());
  }
}
