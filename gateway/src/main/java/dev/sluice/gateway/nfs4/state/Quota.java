package dev.sluice.gateway.nfs4.state;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** So many of something and no more, for a client out of its node's, out of what all may have. */
final class Quota {
  private final int most;
  private final @Nullable Quota all;
  private final AtomicInteger taken = new AtomicInteger();

  private Quota(int most, @Nullable Quota all) {
    this.most = most;
    this.all = all;
  }

  static Quota ofAll(int most) {
    return new Quota(most, null);
  }

  /** One that also takes from this. */
  Quota share(int mostOfOne) {
    return new Quota(mostOfOne, this);
  }

  boolean tryTake(int count) {
    if (!tryTakeHere(count)) {
      return false;
    }
    if (all != null && !all.tryTake(count)) {
      taken.addAndGet(-count);
      return false;
    }
    return true;
  }

  void give(int count) {
    taken.addAndGet(-count);
    if (all != null) {
      all.give(count);
    }
  }

  /** Whether it is this one's own bound that stands in the way of more. */
  boolean isFull(int count) {
    return taken.get() > most - count;
  }

  /** Whether what all may have together stands in the way of more. */
  boolean isAllFull(int count) {
    return all == null ? isFull(count) : all.isAllFull(count);
  }

  int taken() {
    return taken.get();
  }

  private boolean tryTakeHere(int count) {
    int before;
    do {
      before = taken.get();
      if (before > most - count) {
        return false;
      }
    } while (!taken.compareAndSet(before, before + count));
    return true;
  }
}
