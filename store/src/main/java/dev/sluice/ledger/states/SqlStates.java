package dev.sluice.ledger.states;

import dev.sluice.core.policy.StateText;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.ledger.sql.Migrations;
import dev.sluice.ledger.sql.Transactions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** States in a table of a database, opened when it is needed, and again after every failure. */
public final class SqlStates implements StateStore {
  private static final Migrations MIGRATIONS =
      new Migrations(
          SqlStates.class, "sluice_policy_state_migration", List.of("001-policy-states.sql"));

  private static final String UNREADABLE = " (unreadable)";

  private final LedgerLocation where;
  private @Nullable Connection open;

  public SqlStates(LedgerLocation where) {
    this.where = where;
  }

  private interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  private synchronized <T> T transact(Work<T> work) throws IOException {
    try {
      Connection connection = connection();
      return Transactions.transact(connection, () -> work.with(connection));
    } catch (SQLException e) {
      close();
      throw new IOException(where + ": " + Transactions.words(e), e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = open;
    if (connection == null) {
      connection = where.connect();
      open = connection;
      Connection opened = connection;
      int version = Transactions.transact(opened, () -> MIGRATIONS.migrate(opened));
      if (version > MIGRATIONS.latest()) {
        throw new SQLException(
            "its states of policies are of version "
                + version
                + ", and this Sluice knows versions up to "
                + MIGRATIONS.latest());
      }
    }
    return connection;
  }

  /** Takes the text over into this epoch, so that whoever wrote it earlier writes no more. */
  @Override
  public @Nullable String load(StateKey key, long epoch) throws IOException {
    Optional<String> found =
        transact(connection -> {
          try (PreparedStatement take =
              connection.prepareStatement(
                  "UPDATE sluice_policy_state SET epoch = ?"
                      + " WHERE policy = ? AND about = ? AND epoch < ?")) {
            take.setLong(1, epoch);
            take.setString(2, key.policy());
            take.setString(3, key.about());
            take.setLong(4, epoch);
            take.executeUpdate();
          }
          try (PreparedStatement read =
              connection.prepareStatement(
                  "SELECT CASE WHEN length(state) > ? THEN '' ELSE state END"
                      + " FROM sluice_policy_state WHERE policy = ? AND about = ?")) {
            read.setInt(1, StateText.LENGTH_MAX);
            read.setString(2, key.policy());
            read.setString(3, key.about());
            try (ResultSet row = read.executeQuery()) {
              return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
          }
        });
    return found.orElse(null);
  }

  @Override
  public boolean save(StateKey key, String text, long epoch) throws IOException {
    return transact(connection -> {
      try (PreparedStatement write =
          connection.prepareStatement(
              "INSERT INTO sluice_policy_state (policy, about, epoch, state) VALUES (?, ?, ?, ?)"
                  + " ON CONFLICT (policy, about)"
                  + " DO UPDATE SET epoch = excluded.epoch, state = excluded.state"
                  + " WHERE sluice_policy_state.epoch <= excluded.epoch")) {
        write.setString(1, key.policy());
        write.setString(2, key.about());
        write.setLong(3, epoch);
        write.setString(4, text);
        return write.executeUpdate() == 1;
      }
    });
  }

  @Override
  public String setAside(StateKey key) throws IOException {
    String aside = key.policy() + UNREADABLE;
    return transact(connection -> {
      try (PreparedStatement delete =
          connection.prepareStatement(
              "DELETE FROM sluice_policy_state WHERE policy = ? AND about = ?")) {
        delete.setString(1, aside);
        delete.setString(2, key.about());
        delete.executeUpdate();
      }
      try (PreparedStatement rename =
          connection.prepareStatement(
              "UPDATE sluice_policy_state SET policy = ? WHERE policy = ? AND about = ?")) {
        rename.setString(1, aside);
        rename.setString(2, key.policy());
        rename.setString(3, key.about());
        rename.executeUpdate();
      }
      return "\"" + aside + "\" in the table sluice_policy_state of " + where;
    });
  }

  @Override
  public synchronized void close() {
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

  @Override
  public String toString() {
    return where.toString();
  }
}
