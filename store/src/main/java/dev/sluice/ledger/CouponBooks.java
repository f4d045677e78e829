package dev.sluice.ledger;

import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Memory;
import dev.sluice.core.policy.gift.CouponCodec;
import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.ledger.sql.ConnectionSource;
import dev.sluice.ledger.sql.Transactions;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The books about coupons, kept in a database that may fail: opened when they are needed, and again
 * after every failure.
 *
 * <p>Theorem. What {@link Memory#keep} has kept is in the database whatever happens to this process
 * afterwards, and is there once. What it has refused to keep is not there when books are next read
 * here, even where the database failed in such a way that it was: since nobody carried that
 * decision out, it is taken back.
 *
 * <p>Safe for use by many threads.
 */
public final class CouponBooks implements AutoCloseable {
  /** Far more than a database can have under way from one who tries once in a period. */
  private static final int UNCERTAIN_MAX = 100;

  private final LedgerLocation where;
  private final ConnectionSource source;

  /** With a number, the mark by which an entry of this object can be told from all others. */
  private final String writer = UUID.randomUUID().toString();

  private long marks;

  private @Nullable LedgerDatabase database;

  /** The books as they were last seen in the database; null before the first time. */
  private LedgerDatabase.@Nullable Stored known;

  /**
   * By their marks, entries on top of {@link #known} of which nobody knows whether they were made:
   * one of them may still be under way in a database that answers no more.
   */
  private final SequencedMap<String, Entry> uncertain = new LinkedHashMap<>();

  /** Books that are opened when somebody needs them. */
  public CouponBooks(LedgerLocation where) {
    this(where, where::connect);
  }

  CouponBooks(LedgerLocation where, ConnectionSource source) {
    this.where = where;
    this.source = source;
  }

  /** What a policy that owes coupons remembers. */
  public <S> Memory<S> memory(CouponCodec<S> codec) {
    return new Memory<>() {
      // By the targets of the decision that is being taken: what is kept was asked for before.
      private Counted counted = Counted.BYTES;

      @Override
      public S current(Cluster about) {
        counted = counted(about);
        return codec.restored(ledger(counted));
      }

      @Override
      public void keep(S before, S next) {
        CouponBooks.this.keep(
            new Entry(
                codec.books(before),
                codec.books(next),
                codec.entries(next),
                false,
                codec.regretBudgetNodeSeconds(),
                counted));
      }
    };
  }

  private static Counted counted(Cluster cluster) {
    for (Target target : cluster.targets()) {
      if (!target.unit().equals(TokenUnit.OPERATIONS)) {
        return Counted.BYTES;
      }
    }
    return Counted.OPERATIONS;
  }

  private synchronized CouponLedger ledger(Counted counted) {
    try {
      LedgerDatabase.Stored stored = database == null ? reopen() : stored();
      if (stored.counted() != null && stored.counted() != counted) {
        throw new LedgerException(
            where,
            "it counts "
                + text(stored.counted())
                + ", and the targets count "
                + text(counted)
                + "; name another ledger",
            null);
      }
      return stored.ledger();
    } catch (LedgerException e) {
      drop();
      throw e;
    } catch (SQLException | IllegalArgumentException | IllegalStateException e) {
      // The last two are not SQL's fault: the rows are there and contradict each other.
      throw failed(e);
    }
  }

  private static String text(Counted counted) {
    return counted == Counted.BYTES ? "bytes" : "operations";
  }

  private LedgerDatabase.Stored stored() {
    LedgerDatabase.Stored stored = known;
    if (stored == null) {
      throw new IllegalStateException("the books are open and were not read");
    }
    return stored;
  }

  /** Opens the books, and finds out what has become of them meanwhile. */
  private LedgerDatabase.Stored reopen() throws SQLException {
    LedgerDatabase opened = LedgerDatabase.open(where, source);
    database = opened;
    LedgerDatabase.Stored before = known;
    LedgerDatabase.Stored found = opened.load();
    if (before != null && found.entry() < before.entry()) {
      throw new LedgerException(
          where,
          "it has gone back from entry "
              + before.entry()
              + " to "
              + found.entry()
              + ", so it is another one; put the right one in its place, or restart to go on with"
              + " this one",
          null);
    }
    if (before != null && found.entry() == before.entry() + 1) {
      Entry made = uncertain.get(found.writer());
      if (made != null) {
        opened.enter(made.undone(), found, newMark());
        found = opened.load();
      }
    }
    if (before == null || found.entry() > before.entry()) {
      // Whatever was under way built on what is no longer the last entry, and cannot be made.
      uncertain.clear();
    }
    known = found;
    return found;
  }

  private String newMark() {
    marks++;
    return writer + "/" + marks;
  }

  @SuppressWarnings("ReferenceEquality") // These very books: others may only look the same.
  private synchronized void keep(Entry entry) {
    if (entry.events().isEmpty()) {
      return;
    }
    LedgerDatabase open = database;
    LedgerDatabase.Stored before = known;
    if (open == null || before == null || before.ledger() != entry.from()) {
      throw new LedgerException(
          where, "it was changed while this was decided, so this is not entered", null);
    }
    String mark = newMark();
    try {
      if (open.enter(entry, before, mark)) {
        uncertain.clear();
        known =
            new LedgerDatabase.Stored(
                before.entry() + 1,
                mark,
                entry.to(),
                entry.regretBudgetNodeSeconds(),
                entry.counted());
      } else {
        drop();
        throw new LedgerException(
            where, "somebody else writes it, too; read again at the next decision", null);
      }
    } catch (SQLException e) {
      uncertain.put(mark, entry);
      if (uncertain.size() > UNCERTAIN_MAX) {
        uncertain.pollFirstEntry();
      }
      throw failed(e);
    }
  }

  private LedgerException failed(Exception e) {
    drop();
    return new LedgerException(where, Transactions.words(e), e);
  }

  /** Closes the connection; the next who needs the books opens them again. */
  private void drop() {
    LedgerDatabase dropped = database;
    database = null;
    if (dropped != null) {
      try {
        dropped.close();
      } catch (SQLException e) {
        // It was of no use any more.
      }
    }
  }

  /** All that the books say; empty where there are none yet. */
  public static LedgerSummary summary(LedgerLocation where) {
    if (isMissing(where)) {
      return LedgerSummary.EMPTY;
    }
    try (LedgerDatabase opened = LedgerDatabase.open(where, where::connect)) {
      return opened.summary();
    } catch (SQLException | IllegalArgumentException | IllegalStateException e) {
      throw new LedgerException(where, Transactions.words(e), e);
    }
  }

  /**
   * Hands out what is due: says of it, once and for all, that it is handed out.
   *
   * @param application whose; null for all
   * @param nowNanos since 1970
   */
  public static List<Award> handOut(
      LedgerLocation where, @Nullable String application, long nowNanos) {
    if (isMissing(where)) {
      return List.of();
    }
    try (LedgerDatabase opened = LedgerDatabase.open(where, where::connect)) {
      return opened.handOut(application, nowNanos);
    } catch (SQLException e) {
      throw new LedgerException(where, Transactions.words(e), e);
    }
  }

  /** Whoever only asks must not make a file. */
  private static boolean isMissing(LedgerLocation where) {
    return where instanceof LedgerLocation.SqliteFile file && Files.notExists(file.path());
  }

  @Override
  public synchronized void close() {
    drop();
  }
}
