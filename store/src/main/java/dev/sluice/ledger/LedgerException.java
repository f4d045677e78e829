package dev.sluice.ledger;

import dev.sluice.core.policy.MemoryException;
import org.jspecify.annotations.Nullable;

/** The ledger cannot be read or written; the message says which one, and why. */
public final class LedgerException extends MemoryException {
  private static final long serialVersionUID = 1;

  LedgerException(LedgerLocation where, String what, @Nullable Throwable cause) {
    super("ledger " + where + ": " + what, cause);
  }
}
