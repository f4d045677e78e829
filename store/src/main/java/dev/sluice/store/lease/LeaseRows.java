package dev.sluice.store.lease;

/**
 * Where the row of a lease is kept. What cannot be read or written is a {@link
 * dev.sluice.store.StoreException}, after which nobody knows whether it was done. Not thread-safe.
 */
interface LeaseRows extends AutoCloseable {
  LeaseRow read();

  /** Puts a row in the place of another, if that is still there; whether it was. */
  boolean replace(LeaseRow expected, LeaseRow by);

  @Override
  void close();
}
