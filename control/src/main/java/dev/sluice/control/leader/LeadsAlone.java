package dev.sluice.control.leader;

import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderMemory;
import dev.sluice.store.lease.LeaseKeeper;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Leads from the beginning, for a controller that has no other beside it. Later starts are later
 * leaders: its number is the time of its start, or higher by one than the last, where the clock was
 * set back.
 */
public final class LeadsAlone implements Leadership {
  private static final System.Logger LOG = System.getLogger(LeadsAlone.class.getName());

  private final LeaderMemory memory;
  private final long mark = LeaseKeeper.newMark();
  private final AtomicLong epoch = new AtomicLong();

  public LeadsAlone(LeaderMemory memory, long clockMillis) {
    this.memory = memory;
    long last = 0;
    try {
      last = memory.load().epoch();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "its number is that of the clock: {0}", e.getMessage());
    }
    lead(Math.max(last + 1, clockMillis));
  }

  private synchronized void lead(long inEpoch) {
    if (inEpoch <= epoch.get()) {
      return;
    }
    try {
      memory.save(new Leader(inEpoch, mark));
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "that it leads as {0} cannot be kept: {1}",
          Long.toString(inEpoch),
          e.getMessage());
    }
    epoch.set(inEpoch);
  }

  @Override
  public Standing standing(long nowNanos) {
    return new Standing.Leads(new Leader(epoch.get(), mark));
  }

  @Override
  public void outdo(long obeyed) {
    lead(obeyed + 1);
  }
}
