package dev.sluice.store;

import dev.sluice.ledger.LedgerLocation;
import java.io.Serial;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What programs share cannot be read or written; the message says where that is, and why. */
public final class StoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public StoreException(LedgerLocation where, String what, @Nullable Throwable cause) {
    super("database " + where + ": " + what, cause);
  }

  public StoreException(Path directory, String what, @Nullable Throwable cause) {
    super("directory " + directory + ": " + what, cause);
  }
}
