package dev.sluice.ledger.sql;

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
 * Brings a family of tables to the form that this version knows. Each step is a file of SQL that is
 * never changed once it was released; a database remembers which it has taken. All that are missing
 * are taken in one transaction, or none.
 *
 * @param home the class beside which the folder {@code migrations} lies
 * @param register the table in which a database remembers; one for each family
 * @param steps the files, first to last
 */
public record Migrations(Class<?> home, String register, List<String> steps) {
  public Migrations {
    steps = List.copyOf(steps);
  }

  /** The version that the last step leads to. */
  public int latest() {
    return steps.size();
  }

  /**
   * Takes the steps that are missing; the caller begins and ends the transaction.
   *
   * @return the version that the database had before: more than {@link #latest} where it is of a
   *     newer Sluice, and then nothing was done
   */
  public int migrate(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "CREATE TABLE IF NOT EXISTS " + register + " (version INTEGER PRIMARY KEY, name TEXT)");
    }
    int version = version(connection);
    for (int step = version; step < latest(); step++) {
      take(connection, step);
    }
    return version;
  }

  private int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT MAX(version) FROM " + register)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private void take(Connection connection, int step) throws SQLException {
    String name = steps.get(step);
    try (Statement statement = connection.createStatement()) {
      for (String one : text(name).replaceAll("(?m)^--.*$", "").split(";", -1)) {
        if (!one.isBlank()) {
          statement.executeUpdate(one);
        }
      }
    }
    try (PreparedStatement taken =
        connection.prepareStatement("INSERT INTO " + register + " VALUES (?, ?)")) {
      taken.setInt(1, step + 1);
      taken.setString(2, name);
      taken.executeUpdate();
    }
  }

  private String text(String name) {
    try (InputStream in = home.getResourceAsStream("migrations/" + name)) {
      if (in == null) {
        throw new IllegalStateException("migrations/" + name + " is not in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
