package dev.sluice.control.access;

/** Who a caller is. */
public sealed interface Identity {
  /** This member; the caller may speak for it and for nobody else. */
  record Known(String member) implements Identity {}

  /** Nobody we know, or somebody who claims to be another. */
  record Unknown(String reason) implements Identity {}
}
