package dev.sluice.gateway.target;

import org.jspecify.annotations.Nullable;

/**
 * The requests of one job that wait on a target, in the order in which they came: whoever is served
 * nothing shows in no other count of how long requests waited. Not thread-safe.
 */
final class WaitingRequests {
  private @Nullable TargetRequest oldest;
  private @Nullable TargetRequest newest;
  private long count;

  /** The instants at which they came, summed up. It may wrap around, and back with the ages. */
  private long arrivalsNanos;

  void add(TargetRequest request) {
    TargetRequest before = newest;
    request.cameBefore = before;
    if (before == null) {
      oldest = request;
    } else {
      before.cameAfter = request;
    }
    newest = request;
    count++;
    arrivalsNanos += request.arrivedNanos;
  }

  void remove(TargetRequest request) {
    TargetRequest before = request.cameBefore;
    TargetRequest after = request.cameAfter;
    if (before == null) {
      oldest = after;
    } else {
      before.cameAfter = after;
    }
    if (after == null) {
      newest = before;
    } else {
      after.cameBefore = before;
    }
    request.cameBefore = null;
    request.cameAfter = null;
    count--;
    arrivalsNanos -= request.arrivedNanos;
  }

  /** How long they have waited, summed over them. */
  long nanos(long nowNanos) {
    return Math.max(0, count * nowNanos - arrivalsNanos);
  }

  /** For how long the oldest has waited; 0 where none waits. */
  long oldestNanos(long nowNanos) {
    return oldest == null ? 0 : Math.max(0, nowNanos - oldest.arrivedNanos);
  }
}
