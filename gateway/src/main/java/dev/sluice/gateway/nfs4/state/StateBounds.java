package dev.sluice.gateway.nfs4.state;

/**
 * How much clients may have a server remember.
 *
 * @param clientsMax those that made a session, and as many again that only introduced themselves
 * @param sessionsPerClientMax sessions of one client
 * @param slotsPerSessionMax requests of one session at a time
 * @param repliesBytesMax the longest reply that is kept for a repetition, one for each slot
 * @param slotsBytesMax for the slots of all sessions, each with a reply as long as may be kept
 * @param statesPerClientMax opens and locks of one client
 * @param statesMax opens and locks of all
 * @param lockRangesPerClientMax locked ranges of one client
 * @param lockRangesMax locked ranges of all
 * @param nodesMin how many nodes it takes at least to use up what all may have: the clients of one
 *     address have no more than its part together
 */
public record StateBounds(
    int clientsMax,
    int sessionsPerClientMax,
    int slotsPerSessionMax,
    int repliesBytesMax,
    long slotsBytesMax,
    int statesPerClientMax,
    int statesMax,
    int lockRangesPerClientMax,
    int lockRangesMax,
    int nodesMin) {

  /** 168 MiB of heap when clients do their worst, measured by {@code StateMemoryTest}. */
  public static final StateBounds DEFAULTS =
      new StateBounds(1_024, 16, 1_024, 2_048, 48L << 20, 1 << 14, 1 << 17, 1 << 12, 1 << 18, 4);

  public StateBounds {
    if (clientsMax < 1
        || sessionsPerClientMax < 1
        || slotsPerSessionMax < 1
        || repliesBytesMax < 0
        || slotsBytesMax < 1
        || statesPerClientMax < 1
        || statesMax < 1
        || lockRangesPerClientMax < 1
        || lockRangesMax < 1
        || nodesMin < 1) {
      throw new IllegalArgumentException("expected bounds above 0");
    }
  }
}
