package dev.sluice.ledger;

import dev.sluice.ledger.sql.ConnectionSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * A database that goes away: at a certain step, before it is done or after, and for as long as it
 * is told to stay away.
 */
final class FaultyConnections implements ConnectionSource {
  private static final Set<String> STEPS =
      Set.of("createStatement", "prepareStatement", "setAutoCommit");

  private final ConnectionSource real;

  /** Counts down at every step; the one that finds 0 fails. */
  private int stepsLeft = Integer.MAX_VALUE;

  private boolean doneBeforeItFails;
  boolean away;

  FaultyConnections(ConnectionSource real) {
    this.real = real;
  }

  /** Goes away at a step from now on, until it is told that it is back. */
  void goAwayAt(int step, boolean whenDone) {
    stepsLeft = step;
    doneBeforeItFails = whenDone;
  }

  void comeBack() {
    stepsLeft = Integer.MAX_VALUE;
    away = false;
  }

  @Override
  public Connection connect() throws SQLException {
    if (away) {
      throw new SQLException("connection refused");
    }
    Connection connection = real.connect();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              boolean isStep = STEPS.contains(method.getName());
              boolean fails = isStep && stepsLeft-- == 0;
              if (fails && !doneBeforeItFails) {
                goAway(connection);
              }
              try {
                Object answer = method.invoke(connection, arguments);
                if (fails) {
                  goAway(connection);
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            });
  }

  /** What was not committed is gone with the connection. */
  private void goAway(Connection connection) throws SQLException {
    away = true;
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    connection.close();
    throw new SQLException("the server closed the connection");
  }
}
