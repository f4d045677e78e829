package dev.sluice.store.lease;

/**
 * The lease as it is in the database. No two states of it in its whole history are equal; a
 * database that is put back to an earlier state begins another history.
 *
 * @param epoch grows whenever somebody takes the lease, so that an order of an earlier leader can
 *     be told from one of a later
 * @param holder whose it is; empty where it was given back
 * @param renewals grows whenever the holder says that it is still there
 */
record LeaseRow(long epoch, String holder, long renewals) {
  static final String NOBODY = "";

  /** Before anybody ever held it. */
  static final LeaseRow INITIAL = new LeaseRow(0, NOBODY, 0);

  LeaseRow takenBy(String taker, long newEpoch) {
    return new LeaseRow(newEpoch, taker, 0);
  }

  LeaseRow renewed() {
    return new LeaseRow(epoch, holder, renewals + 1);
  }

  LeaseRow givenBack() {
    return new LeaseRow(epoch, NOBODY, renewals + 1);
  }

  boolean isFree() {
    return holder.equals(NOBODY);
  }
}
