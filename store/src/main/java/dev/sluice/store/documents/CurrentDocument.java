package dev.sluice.store.documents;

import dev.sluice.document.DocumentException;
import dev.sluice.store.StoreException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The document in force as a controller knows it, whichever controller it was applied at: looks for
 * a newer one every second, by a thread of its own. While the database is away, what was known
 * stays in force. Safe for use by many threads.
 */
public final class CurrentDocument implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CurrentDocument.class.getName());
  private static final long LOOK_NANOS = 1_000_000_000L;

  /** A look that is under way ends with the database's patience. */
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  private final DocumentHistory history;
  private final Thread thread;
  private volatile Held held = new Held(0, PolicyDocument.EMPTY);
  private DocumentHistory.Newest heldAs = DocumentHistory.Newest.NONE;
  private volatile @Nullable String trouble;
  private volatile boolean read;
  private volatile boolean closing;

  /**
   * A document and its number.
   *
   * @param version 0 before anybody has applied one
   */
  public record Held(long version, PolicyDocument document) {}

  /** Knows the document from now on; a database that is away is asked again later. */
  public CurrentDocument(DocumentHistory history) {
    this.history = history;
    refresh();
    this.thread = Thread.ofPlatform().name("current-document").daemon().start(this::watch);
  }

  /** Whether it was ever read; before that, nobody knows what is in force. */
  public boolean isKnown() {
    return read;
  }

  /** What is in force as far as is known. */
  public Held held() {
    return held;
  }

  /** Why it may not be the newest; null when all is well. */
  public @Nullable String trouble() {
    return trouble;
  }

  private void watch() {
    while (!closing) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      if (!closing) {
        refresh();
      }
    }
  }

  /** Looks now: right after something was applied here. */
  public synchronized void refresh() {
    try {
      DocumentHistory.Newest newest = history.newest();
      if (!newest.equals(heldAs)) {
        held =
            history.current().map(CurrentDocument::read).orElse(new Held(0, PolicyDocument.EMPTY));
        heldAs = newest;
      }
      read = true;
      trouble = null;
    } catch (StoreException | DocumentException e) {
      String what =
          "version " + held.version() + " of the document stays in force: " + e.getMessage();
      if (!Objects.equals(trouble, what)) {
        LOG.log(System.Logger.Level.WARNING, what);
      }
      trouble = what;
    }
  }

  private static Held read(DocumentVersion newest) {
    return new Held(
        newest.version(),
        PolicyDocumentReader.read("version " + newest.version(), newest.content()));
  }

  /** Looks no more, and waits until a look that is under way is over. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      thread.join(FAREWELL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
