package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.testkit.ThrowAwayPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same books in a real PostgreSQL; skipped where Debian's package postgresql is missing. */
class PostgresLedgerTest extends LedgerContract {
  /** Where the driver looks for passwords unless this names another file. */
  private static final String PASSWORD_FILE = "org.postgresql.pgpassfile";

  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static @Nullable ThrowAwayPostgres server;

  @BeforeAll
  static void start() throws IOException {
    Path programs = ThrowAwayPostgres.programs();
    assumeTrue(programs != null, "there is no PostgreSQL here (Debian: postgresql)");
    if (programs != null) {
      server = ThrowAwayPostgres.start(programs);
      System.setProperty(PASSWORD_FILE, server.passFile().toString());
    }
  }

  @AfterAll
  static void stop() throws IOException {
    System.clearProperty(PASSWORD_FILE);
    if (server != null) {
      server.close();
    }
  }

  private static ThrowAwayPostgres server() {
    if (server == null) {
      throw new IllegalStateException("the server was not started");
    }
    return server;
  }

  private static LedgerLocation location(String database) {
    return LedgerLocation.parse(server().address(database), Path.of("/"));
  }

  @Override
  LedgerLocation freshLocation() throws Exception {
    String name = "books" + SCHEMAS.incrementAndGet();
    execute(location("postgres"), "CREATE SCHEMA " + name);
    return location("postgres?currentSchema=" + name);
  }

  @Override
  int cases() {
    return 2;
  }

  @Test
  void aServerThatDiesIsMissedAndNothingIsLost() throws Exception {
    LedgerLocation where = freshLocation();
    try (CouponBooks books = new CouponBooks(where)) {
      CouponLedger expected = decide(books, 30, new SplittableRandom(1));
      for (int i = 0; i < 2; i++) {
        server().stop();
        try {
          assertThatThrownBy(() -> decide(books, 30, new SplittableRandom(2)))
              .isInstanceOf(LedgerException.class)
              .hasMessageStartingWith("ledger postgresql://sluice@127.0.0.1:");
          assertThatThrownBy(() -> memory(books).current(RandomDecisions.BYTES))
              .isInstanceOf(LedgerException.class);
        } finally {
          server().start();
        }
        assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
        expected = decide(books, 10, new SplittableRandom(3 + i));
      }
    }
  }

  @Test
  void aDatabaseThatIsNotThereIsSaidSo() {
    try (CouponBooks books = new CouponBooks(location("nowhere"))) {
      assertThatThrownBy(() -> memory(books).current(RandomDecisions.BYTES))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining("\"nowhere\" does not exist");
    }
  }
}
