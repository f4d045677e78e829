package dev.sluice.store.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteHistoryTest extends HistoryContract {
  private static final AtomicInteger FILES = new AtomicInteger();

  @TempDir private Path directory;

  @Override
  LedgerLocation freshLocation() {
    return new LedgerLocation.SqliteFile(
        directory.resolve("store" + FILES.incrementAndGet() + ".db"));
  }

  @Test
  void aDatabaseOfANewerSluiceIsLeftAlone() throws Exception {
    LedgerLocation where = freshLocation();
    try (DocumentHistory history = new DocumentHistory(where)) {
      assertThat(history.current()).isEmpty();
    }
    try (Connection connection = where.connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO sluice_store_migration VALUES (99, 'later')");
    }
    try (DocumentHistory history = new DocumentHistory(where)) {
      assertThatThrownBy(history::current)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("it is of version 99, and this Sluice knows versions up to 1");
    }
  }

  @Test
  void whatWasKnownStaysInForceWhileTheDatabaseIsAway() throws Exception {
    LedgerLocation where = new LedgerLocation.SqliteFile(directory.resolve("nowhere/store.db"));
    try (DocumentHistory history = new DocumentHistory(where);
        CurrentDocument current = new CurrentDocument(history)) {
      assertThat(current.held().document()).isEqualTo(PolicyDocument.EMPTY);
      assertThat(current.trouble()).contains("stays in force").contains("there is no directory");
    }
  }
}
