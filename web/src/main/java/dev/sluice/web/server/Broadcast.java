package dev.sluice.web.server;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Sends the same events to everybody who follows. How many follow, in all and from one address, and
 * how far each may lag behind is bounded: who does not keep up is let go, and may begin anew with
 * all there is to know. Safe for use by many threads.
 */
public final class Broadcast implements EventFeed, AutoCloseable {
  /** How many events may wait for one viewer. */
  static final int LAG_MAX = 8;

  private final int viewersMax;
  private final int viewersPerClientMax;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Following> viewers = new HashSet<>();
  private final Map<InetAddress, Integer> viewersByClient = new HashMap<>();
  private final Supplier<List<EventText>> welcome;
  private boolean closed;

  /**
   * A feed that nobody follows yet.
   *
   * @param welcome what somebody who begins to follow must know before the next event; asked while
   *     no event is sent, so that nothing is missed or told twice
   */
  public Broadcast(int viewersMax, int viewersPerClientMax, Supplier<List<EventText>> welcome) {
    this.viewersMax = viewersMax;
    this.viewersPerClientMax = viewersPerClientMax;
    this.welcome = welcome;
  }

  /** Sends an event that was made by a change of what newcomers are told. */
  public void send(Supplier<EventText> change) {
    lock.lock();
    try {
      EventText event = change.get();
      for (Following viewer : List.copyOf(viewers)) {
        viewer.offer(event);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many follow. */
  public int viewers() {
    lock.lock();
    try {
      return viewers.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Viewer> follow(InetAddress client) {
    lock.lock();
    try {
      int before = viewersByClient.getOrDefault(client, 0);
      if (closed || viewers.size() >= viewersMax || before >= viewersPerClientMax) {
        return Optional.empty();
      }
      Following viewer = new Following(client, welcome.get());
      viewers.add(viewer);
      viewersByClient.put(client, before + 1);
      return Optional.of(viewer);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      List.copyOf(viewers).forEach(Following::end);
    } finally {
      lock.unlock();
    }
  }

  void checkInvariants() {
    lock.lock();
    try {
      int counted = viewersByClient.values().stream().mapToInt(Integer::intValue).sum();
      if (counted != viewers.size() || viewers.size() > viewersMax) {
        throw new IllegalStateException(viewers.size() + " viewers, counted " + counted);
      }
      for (Following viewer : viewers) {
        if (viewer.waiting.size() > LAG_MAX + viewer.welcomed) {
          throw new IllegalStateException("a viewer lags by " + viewer.waiting.size());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private final class Following implements Viewer {
    private final InetAddress client;
    private final int welcomed;
    private final Deque<EventText> waiting;
    private final Condition changed = lock.newCondition();
    private boolean ended;

    Following(InetAddress client, List<EventText> first) {
      this.client = client;
      this.welcomed = first.size();
      this.waiting = new ArrayDeque<>(first);
    }

    private void offer(EventText event) {
      if (waiting.size() >= LAG_MAX + welcomed) {
        waiting.clear();
        end();
        return;
      }
      waiting.addLast(event);
      changed.signal();
    }

    private void end() {
      ended = true;
      forget();
      changed.signal();
    }

    private void forget() {
      if (viewers.remove(this)) {
        viewersByClient.computeIfPresent(
            client, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
      }
    }

    @Override
    public Next next(long timeoutNanos) throws InterruptedException {
      lock.lock();
      try {
        long leftNanos = timeoutNanos;
        while (waiting.isEmpty() && !ended && leftNanos > 0) {
          leftNanos = changed.awaitNanos(leftNanos);
        }
        EventText next = waiting.pollFirst();
        if (next != null) {
          return new Next.Event(next);
        }
        return ended ? new Next.End() : new Next.Quiet();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        forget();
      } finally {
        lock.unlock();
      }
    }
  }
}
