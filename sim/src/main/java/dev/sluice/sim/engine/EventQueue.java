package dev.sluice.sim.engine;

import dev.sluice.core.schedule.IndexedHeap;

/**
 * The events to come, by instant and, within one instant, in the order in which they were
 * scheduled: a run is the same every time.
 */
public final class EventQueue {
  private final IndexedHeap<Event> events = new IndexedHeap<>();
  private long serial;
  private long nowNanos;
  private long happened;

  /** Schedules an event that is not scheduled; never into the past. */
  public void schedule(Event event, long atNanos) {
    requireFuture(event, atNanos);
    events.insert(event, atNanos, serial++);
  }

  /** Schedules an event, or moves it if it is scheduled for another instant. */
  public void reschedule(Event event, long atNanos) {
    if (!event.isQueued()) {
      schedule(event, atNanos);
    } else if (events.key(event) != atNanos) {
      requireFuture(event, atNanos);
      events.update(event, atNanos, serial++);
    }
  }

  /** Takes an event back if it is scheduled. */
  public void cancel(Event event) {
    if (event.isQueued()) {
      events.remove(event);
    }
  }

  /** Lets the next event happen if there is one before {@code endNanos}. */
  public boolean step(long endNanos) {
    Event first = events.peek();
    if (first == null || events.minKey() >= endNanos) {
      return false;
    }
    nowNanos = events.minKey();
    events.remove(first);
    happened++;
    first.happen(nowNanos);
    return true;
  }

  /** When the last event happened. */
  public long nowNanos() {
    return nowNanos;
  }

  /** How many events happened. */
  public long happened() {
    return happened;
  }

  public void checkInvariants() {
    events.checkInvariants();
    if (!events.isEmpty() && events.minKey() < nowNanos) {
      throw new IllegalStateException(
          "an event is due at " + events.minKey() + " ns, and it is " + nowNanos + " ns already");
    }
  }

  private void requireFuture(Event event, long atNanos) {
    if (atNanos < nowNanos) {
      throw new IllegalStateException(
          event + " is scheduled for " + atNanos + " ns, and it is " + nowNanos + " ns already");
    }
  }
}
