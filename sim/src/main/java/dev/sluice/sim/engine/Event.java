package dev.sluice.sim.engine;

import dev.sluice.core.schedule.IndexedHeap;

/**
 * Something that happens at an instant. Whoever expects it owns the object and uses it again and
 * again, so that passing time makes no garbage.
 */
public abstract class Event extends IndexedHeap.Entry {
  /** Happens now; it is in no queue any more and may be scheduled again. */
  protected abstract void happen(long nowNanos);
}
