package dev.sluice.ledger.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a new connection to a database. */
@FunctionalInterface
public interface ConnectionSource {
  Connection connect() throws SQLException;
}
