package dev.sluice.control.leader;

/** Whether a controller leads. */
public sealed interface Standing {
  /**
   * It may give orders.
   *
   * @param epoch higher than that of every leader before; members refuse orders of a lower one
   */
  record Leads(long epoch) implements Standing {}

  /**
   * It must not give orders.
   *
   * @param reason in words, for the log and for members that ask: who leads, as far as is known
   */
  record Follows(String reason) implements Standing {}
}
