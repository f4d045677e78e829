package dev.sluice.store.documents;

import dev.sluice.document.DocumentException;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.store.StoreConnection;
import dev.sluice.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All documents that were ever put in force, in a database. Nothing that was is changed: whoever
 * goes back to an earlier one adds it again. Safe for use by many threads, and by many controllers
 * on one database.
 */
public final class DocumentHistory implements AutoCloseable {
  /** So many are kept; a site that changes its limits every day looks back for years. */
  public static final int VERSIONS_KEPT = 2_000;

  /** Longer than what somebody would read. */
  private static final int NOTE_LENGTH_MAX = 1_000;

  private static final int ATTEMPTS_MAX = 10;

  /** How the states of SQL begin that say that a row is there already. */
  private static final String INTEGRITY_STATES = "23";

  private final StoreConnection connection;

  public DocumentHistory(LedgerLocation where) {
    this.connection = new StoreConnection(where, where::connect);
  }

  /**
   * What somebody wants.
   *
   * @param onVersion the version that the author has seen, and refuses to go over another than;
   *     null where it does not matter
   */
  public record Wish(
      String content, String author, String note, @Nullable Long onVersion, boolean dryRun) {
    public Wish {
      if (note.length() > NOTE_LENGTH_MAX) {
        throw new IllegalArgumentException(
            "expected a note of at most " + NOTE_LENGTH_MAX + " characters");
      }
      if (content.length() > PolicyDocumentReader.LENGTH_MAX) {
        throw new IllegalArgumentException(
            "expected a document of at most " + PolicyDocumentReader.LENGTH_MAX + " characters");
      }
    }
  }

  /** What became of a wish. */
  public sealed interface Outcome {
    /** It is in force, or would be. */
    record Changed(long version, PolicyDocument before, PolicyDocument after, List<String> changes)
        implements Outcome {
      public Changed {
        changes = List.copyOf(changes);
      }
    }

    /** It says what is in force already; nothing was done. */
    record Same(long version) implements Outcome {}

    /** Somebody else was there before. */
    record Conflict(long expected, long version) implements Outcome {}
  }

  /** The one in force; empty before the first. */
  public synchronized Optional<DocumentVersion> current() {
    return connection.transact(DocumentHistory::last);
  }

  /**
   * Which one is in force. A database that has forgotten some may give their numbers again, and not
   * their times.
   *
   * @param version 0 before the first
   */
  public record Newest(long version, long appliedNanos) {
    static final Newest NONE = new Newest(0, 0);
  }

  /** Which one is in force. */
  public synchronized Newest newest() {
    return connection.transact(open -> {
      try (Statement statement = open.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "SELECT version, applied_nanos FROM sluice_document"
                      + " ORDER BY version DESC LIMIT 1")) {
        return row.next() ? new Newest(row.getLong(1), row.getLong(2)) : Newest.NONE;
      }
    });
  }

  /** The last ones, newest first. */
  public synchronized List<DocumentVersion> last(int max) {
    return connection.transact(open -> {
      try (PreparedStatement query =
          open.prepareStatement("SELECT * FROM sluice_document ORDER BY version DESC LIMIT ?")) {
        query.setInt(1, max);
        return read(query);
      }
    });
  }

  /** One of them; empty where there is none of this number, or none any more. */
  public synchronized Optional<DocumentVersion> version(long number) {
    return connection.transact(open -> numbered(number, open));
  }

  /**
   * Puts a document in force, or tries what it would change.
   *
   * @throws DocumentException where something is not as it should be
   * @throws StoreException where the database fails
   */
  public Outcome apply(Wish wish, long nowNanos) {
    PolicyDocument after = PolicyDocumentReader.read("document", wish.content());
    return put(wish, after, null, nowNanos);
  }

  /**
   * Puts an earlier document in force again, or tries what that would change.
   *
   * @param onVersion as in a {@link Wish}
   * @throws IllegalArgumentException where there is no such version
   */
  public Outcome restore(
      long number, String author, String note, @Nullable Long onVersion, boolean dryRun, long now) {
    DocumentVersion old =
        version(number)
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "there is no version "
                        + number
                        + "; ./sluice limits history lists those there are"));
    PolicyDocument after = PolicyDocumentReader.read("version " + number, old.content());
    return put(new Wish(old.content(), author, note, onVersion, dryRun), after, number, now);
  }

  /** Two who apply at the same moment want the same number, and the database lets one have it. */
  private Outcome put(Wish wish, PolicyDocument after, @Nullable Long restores, long nowNanos) {
    for (int attempt = 1; ; attempt++) {
      try {
        return putOnce(wish, after, restores, nowNanos);
      } catch (StoreException e) {
        boolean taken =
            e.getCause() instanceof SQLException cause
                && String.valueOf(cause.getSQLState()).startsWith(INTEGRITY_STATES);
        if (!taken || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  private synchronized Outcome putOnce(
      Wish wish, PolicyDocument after, @Nullable Long restores, long nowNanos) {
    return connection.transact(open -> {
      DocumentVersion last = last(open).orElse(null);
      long version = last == null ? 0 : last.version();
      Long expected = wish.onVersion();
      if (expected != null && expected != version) {
        return new Outcome.Conflict(expected, version);
      }
      PolicyDocument before = last == null ? PolicyDocument.EMPTY : readAgain(last);
      List<String> changes = DocumentChanges.between(before, after);
      if (last != null && last.content().equals(wish.content())) {
        return new Outcome.Same(version);
      }
      DocumentVersion next =
          new DocumentVersion(
              version + 1, nowNanos, wish.author(), wish.note(), restores, changes, wish.content());
      if (!wish.dryRun()) {
        insert(next, open);
      }
      return new Outcome.Changed(next.version(), before, after, changes);
    });
  }

  /** What another version of Sluice wrote may not be readable here; then everything is new. */
  private static PolicyDocument readAgain(DocumentVersion stored) {
    try {
      return PolicyDocumentReader.read("version " + stored.version(), stored.content());
    } catch (DocumentException e) {
      return PolicyDocument.EMPTY;
    }
  }

  private static Optional<DocumentVersion> last(Connection open) throws SQLException {
    try (PreparedStatement query =
        open.prepareStatement("SELECT * FROM sluice_document ORDER BY version DESC LIMIT 1")) {
      return read(query).stream().findFirst();
    }
  }

  private static Optional<DocumentVersion> numbered(long number, Connection open)
      throws SQLException {
    try (PreparedStatement query =
        open.prepareStatement("SELECT * FROM sluice_document WHERE version = ?")) {
      query.setLong(1, number);
      return read(query).stream().findFirst();
    }
  }

  private static List<DocumentVersion> read(PreparedStatement query) throws SQLException {
    List<DocumentVersion> versions = new ArrayList<>();
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        long restores = row.getLong("restores");
        boolean isRestored = !row.wasNull();
        versions.add(
            new DocumentVersion(
                row.getLong("version"),
                row.getLong("applied_nanos"),
                row.getString("author"),
                row.getString("note"),
                isRestored ? restores : null,
                row.getString("changes").lines().toList(),
                row.getString("content")));
      }
    }
    return versions;
  }

  private static void insert(DocumentVersion next, Connection open) throws SQLException {
    try (PreparedStatement insert =
            open.prepareStatement("INSERT INTO sluice_document VALUES (?, ?, ?, ?, ?, ?, ?)");
        PreparedStatement forget =
            open.prepareStatement("DELETE FROM sluice_document WHERE version <= ?")) {
      insert.setLong(1, next.version());
      insert.setLong(2, next.appliedNanos());
      insert.setString(3, next.author());
      insert.setString(4, next.note());
      Long restores = next.restores();
      if (restores == null) {
        insert.setNull(5, Types.BIGINT);
      } else {
        insert.setLong(5, restores);
      }
      insert.setString(6, String.join("\n", next.changes()));
      insert.setString(7, next.content());
      insert.executeUpdate();
      forget.setLong(1, next.version() - VERSIONS_KEPT);
      forget.executeUpdate();
    }
  }

  @Override
  public synchronized void close() {
    connection.close();
  }
}
