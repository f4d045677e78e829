package dev.sluice.control.access;

import dev.sluice.store.keys.Mandate;

/** Who a caller is. */
public sealed interface Identity {
  /** This member; the caller may speak for it and for nobody else. */
  record Known(String member, Mandate mandate) implements Identity {}

  /** Nobody we know, or somebody who claims to be another. */
  record Unknown(String reason) implements Identity {}
}
