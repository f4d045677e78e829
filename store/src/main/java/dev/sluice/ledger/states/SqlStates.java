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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * States in a table of a database, opened when it is needed, and again after every failure.
 *
 * <p>Whoever reads a state to go on from it, or writes one without that, takes it over: the
 * database counts such turns. Texts are ordered by epoch, then by turn, then by when they were
 * written in it, and by no clock. So of those in the same epoch, such as gateways, which have no
 * lease in common, the one writes that took over last; and a text of ours that arrives late, over a
 * connection that was given up, replaces no later one.
 *
 * <p>Theorem. A text is replaced by those that are later in this order alone.
 */
public final class SqlStates implements StateStore {
  private static final Migrations MIGRATIONS =
      new Migrations(
          SqlStates.class,
          "sluice_policy_state_migration",
          List.of("001-policy-states.sql", "002-policy-memory.sql"));

  private static final String UNREADABLE = " (unreadable)";

  /** Whose states they are: their epochs are counted apart. */
  public enum Keeper {
    CONTROLLER("controller"),
    GATEWAY("gateway");

    private final String name;

    Keeper(String name) {
      this.name = name;
    }
  }

  /** The epoch of whoever has no lease. */
  public static final long NO_LEASE = 0;

  private final LedgerLocation where;
  private final Keeper keeper;

  /** What we have taken over, and how often we have written it since. */
  private final Map<StateKey, Turn> turns = new HashMap<>();

  private @Nullable Connection open;

  private record Turn(long epoch, long number, long written) {}

  public SqlStates(LedgerLocation where, Keeper keeper) {
    this.where = where;
    this.keeper = keeper;
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

  @Override
  public synchronized @Nullable String load(StateKey key, long epoch) throws IOException {
    turns.remove(key);
    Loaded loaded =
        transact(connection -> {
          Optional<Turn> begun = takeOver(connection, key, epoch);
          try (PreparedStatement read =
              connection.prepareStatement(
                  "SELECT CASE WHEN length(state) > ? THEN '' ELSE state END"
                      + " FROM sluice_policy_memory"
                      + " WHERE keeper = ? AND policy = ? AND about = ?")) {
            read.setInt(1, StateText.LENGTH_MAX);
            name(read, 2, key.policy(), key);
            try (ResultSet row = read.executeQuery()) {
              return new Loaded(begun, row.next() ? row.getString(1) : null);
            }
          }
        });
    // Not before it is so for certain: the number of a turn that was undone is another's.
    loaded.begun.ifPresent(turn -> turns.put(key, turn));
    return loaded.text;
  }

  private record Loaded(Optional<Turn> begun, @Nullable String text) {}

  /** Begins a turn; none where somebody is there with a later epoch. */
  private Optional<Turn> takeOver(Connection connection, StateKey key, long epoch)
      throws SQLException {
    try (PreparedStatement take =
        connection.prepareStatement(
            "INSERT INTO sluice_policy_memory AS kept"
                + " (keeper, policy, about, epoch, turn, sequence) VALUES (?, ?, ?, ?, 1, 0)"
                + " ON CONFLICT (keeper, policy, about)"
                + " DO UPDATE SET epoch = excluded.epoch, turn = kept.turn + 1, sequence = 0"
                + " WHERE kept.epoch <= excluded.epoch"
                + " RETURNING turn")) {
      name(take, 1, key.policy(), key);
      take.setLong(4, epoch);
      try (ResultSet row = take.executeQuery()) {
        return row.next() ? Optional.of(new Turn(epoch, row.getLong(1), 0)) : Optional.empty();
      }
    }
  }

  private void name(PreparedStatement statement, int from, String policy, StateKey key)
      throws SQLException {
    statement.setString(from, keeper.name);
    statement.setString(from + 1, policy);
    statement.setString(from + 2, key.about());
  }

  @Override
  public synchronized boolean save(StateKey key, String text, long epoch) throws IOException {
    Turn known = turns.get(key);
    if (known == null || known.epoch != epoch) {
      turns.remove(key);
      Optional<Turn> begun = transact(connection -> takeOver(connection, key, epoch));
      if (begun.isEmpty()) {
        return false;
      }
      known = begun.get();
    }
    Turn now = new Turn(epoch, known.number, known.written + 1);
    turns.put(key, now);
    return transact(connection -> {
      try (PreparedStatement write =
          connection.prepareStatement(
              "UPDATE sluice_policy_memory SET state = ?, sequence = ?"
                  + " WHERE keeper = ? AND policy = ? AND about = ?"
                  + " AND epoch = ? AND turn = ? AND sequence < ?")) {
        write.setString(1, text);
        write.setLong(2, now.written);
        name(write, 3, key.policy(), key);
        write.setLong(6, now.epoch);
        write.setLong(7, now.number);
        write.setLong(8, now.written);
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
              "DELETE FROM sluice_policy_memory WHERE keeper = ? AND policy = ? AND about = ?")) {
        name(delete, 1, aside, key);
        delete.executeUpdate();
      }
      try (PreparedStatement copy =
          connection.prepareStatement(
              "INSERT INTO sluice_policy_memory"
                  + " (keeper, policy, about, epoch, turn, sequence, state)"
                  + " SELECT keeper, ?, about, epoch, turn, sequence, state"
                  + " FROM sluice_policy_memory WHERE keeper = ? AND policy = ? AND about = ?")) {
        copy.setString(1, aside);
        name(copy, 2, key.policy(), key);
        copy.executeUpdate();
      }
      // Whose turn it is stays.
      try (PreparedStatement clear =
          connection.prepareStatement(
              "UPDATE sluice_policy_memory SET state = NULL"
                  + " WHERE keeper = ? AND policy = ? AND about = ?")) {
        name(clear, 1, key.policy(), key);
        clear.executeUpdate();
      }
      return "\"" + aside + "\" in the table sluice_policy_memory of " + where;
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
