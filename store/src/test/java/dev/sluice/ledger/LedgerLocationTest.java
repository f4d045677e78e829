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
  void offLoopbackNothingLessThanVerifiedTlsIsUsedUnlessItIsWrittenDown() {
    assertTls("postgresql://u@db.site/b", "verify-full");
    assertTls("postgresql://u@10.0.0.7/b", "verify-full");
    assertTls("postgresql://u@0.0.0.0/b", "verify-full");
    assertTls("postgresql://u@localhost.evil.site/b", "verify-full");
    assertTls("postgresql://u@[2001:db8::1]/b?currentSchema=x", "verify-full");
    assertTls("postgresql://u@db.site/b?currentSchema=sslmode", "verify-full");
    assertTls("postgresql://u@db.site/b?a=1&sslmode=require", "require");
    assertTls("postgresql://u@db.site/b?sslmode=disable", "disable");
    assertTls("postgresql://u@127.0.0.1/b", "prefer");
    assertTls("postgresql://u@127.8.9.1/b", "prefer");
    assertTls("postgresql://u@[::1]/b", "prefer");
    assertTls("postgresql://u@LocalHost/b", "prefer");
    assertTls("postgresql://u@localhost/b?sslmode=verify-ca", "verify-ca");
    assertRefused("postgresql://u@db.site/b?sslmode=of", "sslmode=of; expected one of disable,");
  }

  private static void assertTls(String address, String mode) {
    assertThat(LedgerLocation.parse(address, HERE))
        .isInstanceOfSatisfying(
            LedgerLocation.Postgres.class,
            postgres -> assertThat(postgres.tlsMode()).isEqualTo(mode));
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
