package dev.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LedgerLocationTest {
  private static final Path HERE = Path.of("/etc/sluice");

  @Test
  void aPathIsAFileOfSqlite() {
    assertThat(LedgerLocation.parse("coupons.db", HERE))
        .isEqualTo(new LedgerLocation.SqliteFile(Path.of("/etc/sluice/coupons.db")));
    assertThat(LedgerLocation.parse("/var/lib/x/../c.db", HERE)).hasToString("/var/lib/c.db");
  }

  @Test
  void anAddressIsADatabaseOfPostgres() {
    assertThat(LedgerLocation.parse("postgresql://sluice@db.site/books", HERE))
        .isEqualTo(new LedgerLocation.Postgres("db.site", 5432, "books", "sluice", ""))
        .hasToString("postgresql://sluice@db.site:5432/books");
    assertThat(LedgerLocation.parse("postgresql://u@[::1]:99/b?sslmode=require", HERE))
        .isEqualTo(new LedgerLocation.Postgres("[::1]", 99, "b", "u", "sslmode=require"));
  }

  @Test
  void anythingElseIsRefusedWithWhatWasExpected() {
    assertRefused("", "expected a path, or postgresql://user@host:port/database");
    assertRefused("mysql://a@b/c", "expected a path, or postgresql://");
    assertRefused("a\0b", "without a zero byte");
    assertRefused("postgresql://db/books", "expected postgresql://user@host");
    assertRefused("postgresql://u@db", "expected postgresql://user@host");
    assertRefused("postgresql://u@db/", "expected postgresql://user@host");
    assertRefused("postgresql://u@d b/x", "expected postgresql://user@host");
    assertRefused("postgresql://u:secret@db/books", "no password here");
  }

  private static void assertRefused(String text, String expected) {
    assertThatThrownBy(() -> LedgerLocation.parse(text, HERE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected)
        .hasMessageNotContaining("secret");
  }
}
