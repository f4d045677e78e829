package dev.sluice.core.schedule;

/** How a target stands that is handed requests no faster than its capacity. */
public interface Pace {
  /** Whether somebody waited already when the target was ready for the next request. */
  boolean isShort();

  /**
   * For how long from now it may go without a request and still make up for it; negative when some
   * of its capacity is lost already.
   */
  long spareNanos(long nowNanos);

  /** For how long a request of this price keeps it busy. */
  long nanosFor(long tokens);
}
