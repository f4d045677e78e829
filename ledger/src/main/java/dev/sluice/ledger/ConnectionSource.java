package dev.sluice.ledger;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens a new connection to the database of a ledger. */
@FunctionalInterface
interface ConnectionSource {
  Connection connect() throws SQLException;
}
