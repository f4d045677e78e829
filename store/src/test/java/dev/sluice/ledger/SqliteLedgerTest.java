package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.core.policy.gift.GiftState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLedgerTest extends LedgerContract {
  @TempDir private Path directory;
  private final AtomicInteger files = new AtomicInteger();

  @Override
  LedgerLocation freshLocation() {
    return new LedgerLocation.SqliteFile(
        directory.resolve("coupons-" + files.incrementAndGet() + ".db"));
  }

  @Override
  int cases() {
    return 4;
  }

  @Test
  void aFullDiskLosesNothingAndGoesOnWhenThereIsRoom() {
    LedgerLocation where = freshLocation();
    try (CouponBooks before = new CouponBooks(where)) {
      decide(before, 1, new SplittableRandom(1));
    }
    AtomicBoolean full = new AtomicBoolean(true);
    CouponBooks books =
        new CouponBooks(
            where,
            () -> {
              Connection connection = where.connect();
              if (full.get()) {
                // Fewer than there are: none can be added.
                try (Statement statement = connection.createStatement()) {
                  statement.execute("PRAGMA max_page_count = 1");
                }
              }
              return connection;
            });
    RandomDecisions source = new RandomDecisions(new SplittableRandom(2));
    CouponLedger[] kept = {memory(books).current(RandomDecisions.BYTES).ledger()};
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1_000; i++) {
                GiftState before = memory(books).current(RandomDecisions.BYTES);
                GiftState next = source.issue(before, 50);
                memory(books).keep(before, next);
                kept[0] = next.ledger();
              }
            })
        .isInstanceOf(LedgerException.class)
        .hasMessageContaining("the disk is full");
    assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(kept[0]);
    full.set(false);
    books.close();
    GiftState before = memory(books).current(RandomDecisions.BYTES);
    GiftState next = source.issue(before, 500);
    memory(books).keep(before, next);
    assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(next.ledger());
    books.close();
  }

  @Test
  void aFileThatIsTakenAwayIsNoticedAndNotReplacedByAnEmptyOne() throws Exception {
    LedgerLocation where = freshLocation();
    Path file = ((LedgerLocation.SqliteFile) where).path();
    Path away = directory.resolve("away.db");
    try (CouponBooks books = new CouponBooks(where)) {
      CouponLedger expected = decide(books, 20, new SplittableRandom(4));
      Files.move(file, away);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> decide(books, 20, new SplittableRandom(5)))
            .isInstanceOf(LedgerException.class);
      }
      assertThatThrownBy(() -> memory(books).current(RandomDecisions.BYTES))
          .hasMessageContaining("it has gone back from entry");
      Files.move(away, file, StandardCopyOption.REPLACE_EXISTING);
      assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
      decide(books, 20, new SplittableRandom(6));
    }
  }

  @Test
  void whatIsNoLedgerIsSaidSo() throws Exception {
    Path text = Files.writeString(directory.resolve("text.db"), "not a database\n".repeat(200));
    assertRefused(text, "not a database");
    assertRefused(directory.resolve("nowhere").resolve("coupons.db"), "there is no directory");
    assertRefused(directory, "ledger " + directory);
  }

  private static void assertRefused(Path file, String expected) {
    try (CouponBooks books = new CouponBooks(new LedgerLocation.SqliteFile(file))) {
      assertThatThrownBy(() -> memory(books).current(RandomDecisions.BYTES))
          .isInstanceOf(LedgerException.class)
          .hasMessageContaining(expected);
    }
  }

  @Test
  void whoeverOnlyAsksMakesNoFile() {
    LedgerLocation where = freshLocation();
    assertThat(CouponBooks.summary(where)).isEqualTo(LedgerSummary.EMPTY);
    assertThat(CouponBooks.handOut(where, null, 1)).isEmpty();
    assertThat(((LedgerLocation.SqliteFile) where).path()).doesNotExist();
  }

  @Test
  void booksThatSomebodyElseHasLockedAreReadLater() throws Exception {
    LedgerLocation where = freshLocation();
    try (CouponBooks books = new CouponBooks(where)) {
      CouponLedger expected = decide(books, 5, new SplittableRandom(7));
      try (Connection other = where.connect();
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.executeUpdate("UPDATE sluice_ledger SET counted = counted");
        assertThatThrownBy(() -> decide(books, 20, new SplittableRandom(8)))
            .isInstanceOf(LedgerException.class)
            .hasMessageContaining("locked");
        other.rollback();
      }
      assertThat(memory(books).current(RandomDecisions.BYTES).ledger()).isEqualTo(expected);
    }
  }
}
