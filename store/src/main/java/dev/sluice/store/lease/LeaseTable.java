package dev.sluice.store.lease;

import dev.sluice.store.StoreConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The row of the lease in a database. Not thread-safe. */
final class LeaseTable implements LeaseRows {
  private final StoreConnection connection;

  LeaseTable(StoreConnection connection) {
    this.connection = connection;
  }

  @Override
  public LeaseRow read() {
    return connection.execute(LeaseTable::read);
  }

  private static LeaseRow read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT epoch, holder, renewals FROM sluice_lease WHERE id = 1")) {
      if (!row.next()) {
        throw new SQLException("the row of the lease is missing");
      }
      return new LeaseRow(row.getLong(1), row.getString(2), row.getLong(3));
    }
  }

  /**
   * One statement, which the database begins and ends by itself: a controller that is stopped in
   * the midst of it leaves no lock behind that would keep its successor waiting.
   */
  @Override
  public boolean replace(LeaseRow expected, LeaseRow by) {
    return connection.execute(open -> {
      try (PreparedStatement update =
          open.prepareStatement(
              "UPDATE sluice_lease SET epoch = ?, holder = ?, renewals = ?"
                  + " WHERE id = 1 AND epoch = ? AND holder = ? AND renewals = ?")) {
        update.setLong(1, by.epoch());
        update.setString(2, by.holder());
        update.setLong(3, by.renewals());
        update.setLong(4, expected.epoch());
        update.setString(5, expected.holder());
        update.setLong(6, expected.renewals());
        return update.executeUpdate() == 1;
      }
    });
  }

  @Override
  public void close() {
    connection.close();
  }
}
