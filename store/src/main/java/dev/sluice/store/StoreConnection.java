package dev.sluice.store;

import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.sql.ConnectionSource;
import dev.sluice.ledger.sql.Migrations;
import dev.sluice.ledger.sql.Transactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the database of a controller that is opened when it is needed, and again after
 * every failure. Not thread-safe.
 */
public final class StoreConnection implements AutoCloseable {
  private static final Migrations MIGRATIONS =
      new Migrations(
          StoreConnection.class, "sluice_store_migration", List.of("001-lease-and-documents.sql"));

  private final LedgerLocation where;
  private final ConnectionSource source;
  private @Nullable Connection open;

  /** Connects to the database at {@code where} by {@code source} once it is needed. */
  public StoreConnection(LedgerLocation where, ConnectionSource source) {
    this.where = where;
    this.source = source;
  }

  /** Something that is done with a connection. */
  public interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /**
   * Does something as a whole or not at all.
   *
   * @throws StoreException where it failed; whether it was done is then not known
   */
  public <T> T transact(Work<T> work) {
    return execute(connection -> Transactions.transact(connection, () -> work.with(connection)));
  }

  /**
   * Does something that is one statement, and so a whole by itself.
   *
   * @throws StoreException where it failed; whether it was done is then not known
   */
  public <T> T execute(Work<T> work) {
    try {
      return work.with(connection());
    } catch (SQLException e) {
      close();
      throw new StoreException(where, Transactions.words(e), e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = open;
    if (connection == null) {
      connection = source.connect();
      open = connection;
      migrate(connection);
    }
    return connection;
  }

  private void migrate(Connection connection) throws SQLException {
    int version = Transactions.transact(connection, () -> MIGRATIONS.migrate(connection));
    if (version > MIGRATIONS.latest()) {
      throw new StoreException(
          where,
          "it is of version "
              + version
              + ", and this Sluice knows versions up to "
              + MIGRATIONS.latest()
              + "; use the newer Sluice that wrote it, or name another database",
          null);
    }
  }

  /** Closes it; whoever needs it next opens it again. */
  @Override
  public void close() {
    Connection connection = open;
    open = null;
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // It was of no use any more.
      }
    }
  }
}
