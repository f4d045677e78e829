package dev.sluice.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Brings a database to the form that this version knows. Each step is a file of SQL that is never
 * changed once it was released; a database remembers which it has taken. All that are missing are
 * taken in one transaction, or none.
 */
final class Migrations {
  /** The steps, first to last. */
  private static final List<String> STEPS = List.of("001-coupons.sql");

  static final int LATEST = STEPS.size();

  private Migrations() {}

  /**
   * Takes the steps that are missing; the caller begins and ends the transaction.
   *
   * @return the version that the database had before: more than {@link #LATEST} where it is of a
   *     newer Sluice, and then nothing was done
   */
  static int migrate(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "CREATE TABLE IF NOT EXISTS sluice_migration (version INTEGER PRIMARY KEY, name TEXT)");
    }
    int version = version(connection);
    for (int step = version; step < LATEST; step++) {
      take(connection, step);
    }
    return version;
  }

  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT MAX(version) FROM sluice_migration")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private static void take(Connection connection, int step) throws SQLException {
    String name = STEPS.get(step);
    try (Statement statement = connection.createStatement()) {
      for (String one : text(name).replaceAll("(?m)^--.*$", "").split(";", -1)) {
        if (!one.isBlank()) {
          statement.executeUpdate(one);
        }
      }
    }
    try (PreparedStatement taken =
        connection.prepareStatement("INSERT INTO sluice_migration VALUES (?, ?)")) {
      taken.setInt(1, step + 1);
      taken.setString(2, name);
      taken.executeUpdate();
    }
  }

  private static String text(String name) {
    try (InputStream in = Migrations.class.getResourceAsStream("migrations/" + name)) {
      if (in == null) {
        throw new IllegalStateException("migrations/" + name + " is not in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
