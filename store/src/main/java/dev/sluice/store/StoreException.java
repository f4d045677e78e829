package dev.sluice.store;

import dev.sluice.ledger.LedgerLocation;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The database of a controller cannot be read or written; the message says which, and why. */
public final class StoreException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public StoreException(LedgerLocation where, String what, @Nullable Throwable cause) {
    super("database " + where + ": " + what, cause);
  }
}
