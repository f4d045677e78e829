package dev.sluice.ledger.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** Work on a database that is done as a whole or not at all. */
public final class Transactions {
  private Transactions() {}

  /** Something that is done as a whole or not at all. */
  public interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Does something in a transaction. It ends by turning automatic commit on again: SQLite's driver
   * answers a plain commit by beginning the next transaction, which would keep others out.
   */
  public static <T> T transact(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(false);
    try {
      T done = work.run();
      connection.setAutoCommit(true);
      return done;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.rollback();
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** What a failure means, without what a driver puts around it. */
  public static String words(Exception e) {
    String message = String.valueOf(e.getMessage());
    String first = message.lines().findFirst().orElse(message);
    return first.toLowerCase(Locale.ROOT).contains("[sqlite_full]")
        ? "the disk is full (" + first + ")"
        : first;
  }
}
