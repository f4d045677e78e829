package dev.sluice.ledger;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.gift.Account;
import dev.sluice.core.policy.gift.Coupon;
import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.core.policy.gift.LedgerEvent;
import dev.sluice.ledger.sql.ConnectionSource;
import dev.sluice.ledger.sql.Migrations;
import dev.sluice.ledger.sql.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The books in a database, over one connection. Every change is one transaction: it is in the
 * database as a whole, and durable, or not at all. Not thread-safe.
 *
 * <p>Entries are numbered, and each bears the mark of who made it. Whoever makes one says on which
 * it builds, and is refused if that is not the last: two who write the same books cannot spoil
 * them.
 */
final class LedgerDatabase implements AutoCloseable {
  /** After a year in which nothing happened, an application is nobody's concern any more. */
  private static final long KEPT_NANOS = 366L * 86_400 * 1_000_000_000;

  private static final Migrations MIGRATIONS =
      new Migrations(LedgerDatabase.class, "sluice_migration", List.of("001-coupons.sql"));

  private final Connection connection;

  /**
   * The books as they are in the database.
   *
   * @param entry counts the changes
   * @param writer the mark of the last one
   * @param counted what a token is; null before the first entry
   */
  record Stored(
      long entry,
      String writer,
      CouponLedger ledger,
      long regretBudgetNodeSeconds,
      @Nullable Counted counted) {}

  private LedgerDatabase(Connection connection) {
    this.connection = connection;
  }

  private <T> T transact(Transactions.Work<T> work) throws SQLException {
    return Transactions.transact(connection, work);
  }

  /**
   * Opens the books, and brings them to the form that this version knows.
   *
   * @throws LedgerException where they are of a newer version
   */
  static LedgerDatabase open(LedgerLocation where, ConnectionSource source) throws SQLException {
    Connection connection = source.connect();
    try {
      LedgerDatabase opened = new LedgerDatabase(connection);
      int version = opened.transact(() -> MIGRATIONS.migrate(connection));
      if (version > MIGRATIONS.latest()) {
        throw new LedgerException(
            where,
            "it is of version "
                + version
                + ", and this Sluice knows versions up to "
                + MIGRATIONS.latest()
                + "; use the newer Sluice that wrote it, or name another ledger",
            null);
      }
      return opened;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.close();
      } catch (SQLException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** Reads the books, all of one moment. */
  Stored load() throws SQLException {
    return transact(this::read);
  }

  private Stored read() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM sluice_ledger WHERE id = 1")) {
      if (!row.next()) {
        throw new SQLException("its first row is missing");
      }
      long began = row.getLong("period_began_nanos");
      boolean hasBegun = !row.wasNull();
      String counted = row.getString("counted");
      CouponLedger.Period period =
          new CouponLedger.Period(
              hasBegun ? began : CouponLedger.Period.NOT_BEGUN,
              row.getLong("period_coupons_before"),
              row.getLong("period_unredeemed_millionths"),
              row.getLong("period_awarded_node_seconds"));
      CouponLedger ledger = new CouponLedger(accounts(), row.getLong("coupons_issued"), period);
      ledger.checkInvariants();
      return new Stored(
          row.getLong("entry"),
          row.getString("writer"),
          ledger,
          row.getLong("regret_budget_node_seconds"),
          counted.isEmpty() ? null : Counted.valueOf(counted));
    }
  }

  private Map<JobId, Account> accounts() throws SQLException {
    Map<JobId, Account> accounts = new HashMap<>();
    JobId application = null;
    long issued = 0;
    List<Coupon> coupons = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT c.*, a.account_issued FROM sluice_coupon c JOIN sluice_application a"
                    + " ON a.name = c.application ORDER BY c.application, c.number")) {
      while (row.next()) {
        JobId next = JobId.of(row.getString("application"));
        if (application != null && !next.equals(application)) {
          accounts.put(application, new Account(issued, coupons));
          coupons.clear();
        }
        application = next;
        issued = row.getLong("account_issued");
        coupons.add(coupon(row, next));
      }
    }
    if (application != null) {
      accounts.put(application, new Account(issued, coupons));
    }
    return accounts;
  }

  private static Coupon coupon(ResultSet row, JobId application) throws SQLException {
    return new Coupon(
        row.getLong("number"),
        application,
        row.getLong("ordinal"),
        row.getLong("issued_nanos"),
        row.getLong("worth_tokens"),
        row.getLong("redeemed_tokens"),
        row.getLong("awarded_node_seconds"),
        row.getDouble("fair_tokens_per_second"),
        row.getLong("nodes"));
  }

  /**
   * Makes an entry, which is durable when this returns.
   *
   * @param on the entry on which it builds
   * @return whether it was made; if not, there are entries that the caller has not seen
   * @throws SQLException where nobody knows whether it was made
   */
  boolean enter(Entry entry, Stored on, String writer) throws SQLException {
    return transact(() -> {
      if (!number(entry, on, writer)) {
        return false;
      }
      writeApplications(entry);
      writeCoupons(entry);
      writeAwards(entry);
      if (entry.beginsPeriod()) {
        forget(entry.periodNanos() - KEPT_NANOS);
      }
      return true;
    });
  }

  private boolean number(Entry entry, Stored on, String writer) throws SQLException {
    CouponLedger.Period period = entry.to().period();
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE sluice_ledger SET entry = ?, writer = ?, counted = ?, coupons_issued = ?,
              period_began_nanos = ?, period_coupons_before = ?, period_unredeemed_millionths = ?,
              period_awarded_node_seconds = ?, regret_budget_node_seconds = ?
            WHERE id = 1 AND entry = ? AND writer = ?
            """)) {
      update.setLong(1, on.entry() + 1);
      update.setString(2, writer);
      update.setString(3, entry.counted().name());
      update.setLong(4, entry.to().couponsIssued());
      if (period.hasBegun()) {
        update.setLong(5, period.beganAtNanos());
      } else {
        update.setNull(5, Types.BIGINT);
      }
      update.setLong(6, period.couponsBefore());
      update.setLong(7, period.unredeemedMillionths());
      update.setLong(8, period.awardedNodeSeconds());
      update.setLong(9, entry.regretBudgetNodeSeconds());
      update.setLong(10, on.entry());
      update.setString(11, on.writer());
      return update.executeUpdate() == 1;
    }
  }

  private void writeApplications(Entry entry) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            """
            INSERT INTO sluice_application VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET
              account_issued = excluded.account_issued,
              coupons_issued = sluice_application.coupons_issued + excluded.coupons_issued,
              issued_tokens = sluice_application.issued_tokens + excluded.issued_tokens,
              redeemed_tokens = sluice_application.redeemed_tokens + excluded.redeemed_tokens,
              touched_nanos = excluded.touched_nanos
            """)) {
      for (Map.Entry<JobId, Entry.Sums> change : entry.sums().entrySet()) {
        JobId application = change.getKey();
        upsert.setString(1, application.toString());
        upsert.setLong(2, entry.to().account(application).issued());
        upsert.setLong(3, change.getValue().coupons());
        upsert.setLong(4, change.getValue().issuedTokens());
        upsert.setLong(5, change.getValue().redeemedTokens());
        upsert.setLong(6, entry.periodNanos());
        upsert.addBatch();
      }
      upsert.executeBatch();
    }
  }

  private void writeCoupons(Entry entry) throws SQLException {
    try (PreparedStatement upsert =
        connection.prepareStatement(
            """
            INSERT INTO sluice_coupon VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (number) DO UPDATE SET
              redeemed_tokens = excluded.redeemed_tokens,
              awarded_node_seconds = excluded.awarded_node_seconds
            """)) {
      for (Coupon coupon : entry.written()) {
        upsert.setLong(1, coupon.number());
        upsert.setString(2, coupon.application().toString());
        upsert.setLong(3, coupon.ordinal());
        upsert.setLong(4, coupon.issuedAtNanos());
        upsert.setLong(5, coupon.worthTokens());
        upsert.setLong(6, coupon.redeemedTokens());
        upsert.setLong(7, coupon.awardedNodeSeconds());
        upsert.setDouble(8, coupon.fairTokensPerSecond());
        upsert.setLong(9, coupon.nodes());
        upsert.addBatch();
      }
      upsert.executeBatch();
    }
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM sluice_coupon WHERE number = ?")) {
      for (long number : entry.removed()) {
        delete.setLong(1, number);
        delete.addBatch();
      }
      delete.executeBatch();
    }
  }

  private void writeAwards(Entry entry) throws SQLException {
    String sql =
        entry.undoes()
            ? "DELETE FROM sluice_award WHERE coupon = ?"
            : "INSERT INTO sluice_award VALUES (?, ?, ?, ?, NULL)";
    try (PreparedStatement write = connection.prepareStatement(sql)) {
      for (LedgerEvent.Awarded award : entry.awards()) {
        write.setLong(1, award.coupon());
        if (!entry.undoes()) {
          write.setString(2, award.application().toString());
          write.setLong(3, award.nodeSeconds());
          write.setLong(4, entry.periodNanos());
        }
        write.addBatch();
      }
      write.executeBatch();
    }
  }

  private void forget(long beforeNanos) throws SQLException {
    try (PreparedStatement awards =
            connection.prepareStatement("DELETE FROM sluice_award WHERE handed_out_nanos < ?");
        PreparedStatement applications =
            connection.prepareStatement(
                """
                DELETE FROM sluice_application WHERE touched_nanos < ?
                  AND name NOT IN (SELECT application FROM sluice_coupon)
                  AND name NOT IN (SELECT application FROM sluice_award)
                """)) {
      awards.setLong(1, beforeNanos);
      awards.executeUpdate();
      applications.setLong(1, beforeNanos);
      applications.executeUpdate();
    }
  }

  /** Says of awards that are due that they are handed out, as one. */
  List<Award> handOut(@Nullable String application, long nowNanos) throws SQLException {
    return transact(() -> {
      List<Award> due =
          awards().stream()
              .filter(award -> award.handedOutNanos() == null)
              .filter(award -> application == null || application.equals(award.application()))
              .toList();
      try (PreparedStatement update =
          connection.prepareStatement(
              "UPDATE sluice_award SET handed_out_nanos = ?"
                  + " WHERE coupon = ? AND handed_out_nanos IS NULL")) {
        for (Award award : due) {
          update.setLong(1, nowNanos);
          update.setLong(2, award.coupon());
          if (update.executeUpdate() != 1) {
            throw new SQLException(
                "somebody else hands out the same awards; nothing was handed out here");
          }
        }
      }
      return due;
    });
  }

  private List<Award> awards() throws SQLException {
    List<Award> awards = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM sluice_award ORDER BY coupon")) {
      while (row.next()) {
        long handedOut = row.getLong("handed_out_nanos");
        boolean isHandedOut = !row.wasNull();
        awards.add(
            new Award(
                row.getLong("coupon"),
                row.getString("application"),
                row.getLong("node_seconds"),
                row.getLong("awarded_nanos"),
                isHandedOut ? handedOut : null));
      }
    }
    return awards;
  }

  /** All that the books say, of one moment. */
  LedgerSummary summary() throws SQLException {
    return transact(() -> LedgerSummary.of(read(), totals(), awards()));
  }

  private Map<String, LedgerSummary.Totals> totals() throws SQLException {
    Map<String, LedgerSummary.Totals> totals = new HashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM sluice_application")) {
      while (row.next()) {
        totals.put(
            row.getString("name"),
            new LedgerSummary.Totals(
                row.getLong("coupons_issued"),
                row.getLong("issued_tokens"),
                row.getLong("redeemed_tokens")));
      }
    }
    return totals;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
