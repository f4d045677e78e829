package dev.sluice.control.access;

import dev.sluice.store.keys.Mandate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Who a caller is. */
public sealed interface Identity {
  /**
   * This member; the caller may speak for it and for nobody else.
   *
   * @param until when what it has shown ends; null where it does not, or its certificate says it
   */
  record Known(String member, Mandate mandate, @Nullable Instant until) implements Identity {}

  /** Nobody we know, or somebody who claims to be another. */
  record Unknown(String reason) implements Identity {}
}
