package dev.sluice.gateway.nfs4.state;

import dev.sluice.core.model.JobId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Which jobs keep slots of a session while their requests wait. */
public final class SlotShares {
  private final AtomicInteger kept = new AtomicInteger();
  private final Map<JobId, Integer> byJob = new ConcurrentHashMap<>();

  SlotShares() {}

  /**
   * Whether a job may keep one more of so many slots: as long as it keeps less than half of what
   * the others leave. So however many jobs keep all they can, there are some for the next.
   */
  public boolean mayKeepOne(JobId job, int slots) {
    int own = byJob.getOrDefault(job, 0);
    int others = kept.get() - own;
    return own == 0 || 2 * own < slots - others;
  }

  /** A request of a job keeps a slot. */
  public void keep(JobId job) {
    kept.incrementAndGet();
    byJob.merge(job, 1, Integer::sum);
  }

  /** A request of a job keeps its slot no longer. */
  public void release(JobId job) {
    kept.decrementAndGet();
    byJob.computeIfPresent(job, (_, count) -> count == 1 ? null : count - 1);
  }

  /** How many are kept. */
  public int kept() {
    return kept.get();
  }
}
