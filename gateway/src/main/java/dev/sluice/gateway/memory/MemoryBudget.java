package dev.sluice.gateway.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bound on the bytes that all connections together have under way. An account may take as long as
 * it holds less than is free: one that is alone may have half of it all, many that want more each
 * get an equal part, and there is always something left for a newcomer.
 */
public final class MemoryBudget {
  private final long totalBytes;
  private final AtomicLong freeBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();

  /** Looked at by those who gave back, and raised by those who wait before they look again. */
  private final AtomicInteger waiting = new AtomicInteger();

  public MemoryBudget(long totalBytes) {
    if (totalBytes < 1) {
      throw new IllegalArgumentException("a budget has at least 1 byte, not " + totalBytes);
    }
    this.totalBytes = totalBytes;
    this.freeBytes = new AtomicLong(totalBytes);
  }

  public long totalBytes() {
    return totalBytes;
  }

  public long freeBytes() {
    return freeBytes.get();
  }

  /** An account with bounds of its own. */
  public Account open(long heldBytesMax, int requestsMax) {
    return new Account(heldBytesMax, requestsMax);
  }

  /**
   * What one connection has under way. One thread takes, any may give back.
   *
   * <p>The one that takes is the one that reads: when it has to wait, the client's requests stay
   * with the client.
   */
  public final class Account {
    private final long heldBytesMax;
    private final int requestsMax;
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicLong requests = new AtomicLong();
    private volatile boolean closed;

    private Account(long heldBytesMax, int requestsMax) {
      this.heldBytesMax = heldBytesMax;
      this.requestsMax = requestsMax;
    }

    /** Takes so many bytes for one request if that is within all bounds now. */
    public boolean tryTake(long bytes) {
      long held = heldBytes.get();
      if (requests.get() >= requestsMax || (held > 0 && held + bytes > heldBytesMax)) {
        return false;
      }
      // What counts nothing is bounded by the number of requests alone.
      if (bytes > 0 && !takeFree(bytes, held)) {
        return false;
      }
      heldBytes.addAndGet(bytes);
      requests.incrementAndGet();
      return true;
    }

    private boolean takeFree(long bytes, long held) {
      while (true) {
        long free = freeBytes.get();
        if (free < bytes || held >= free) {
          return false;
        }
        if (freeBytes.compareAndSet(free, free - bytes)) {
          return true;
        }
      }
    }

    /** Waits until it has taken so many bytes for one request; false when it was closed. */
    public boolean take(long bytes) {
      if (bytes > totalBytes) {
        throw new IllegalArgumentException(
            "a request of " + bytes + " bytes will never fit into " + totalBytes);
      }
      if (tryTake(bytes)) {
        return true;
      }
      lock.lock();
      try {
        waiting.incrementAndGet();
        try {
          while (!closed) {
            if (tryTake(bytes)) {
              return true;
            }
            freed.awaitUninterruptibly();
          }
          return false;
        } finally {
          waiting.decrementAndGet();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Gives back some bytes of a request that goes on. */
    public void giveBack(long bytes) {
      heldBytes.addAndGet(-bytes);
      if (freeBytes.addAndGet(bytes) > totalBytes) {
        throw new IllegalStateException("more was given back than was taken");
      }
      wakeUp();
    }

    /** Gives back the last bytes of a request. */
    public void end(long bytes) {
      requests.decrementAndGet();
      giveBack(bytes);
    }

    /** Lets nobody wait any more; what is held is still to be given back. */
    public void close() {
      closed = true;
      wakeUp();
    }

    /** Waits until it holds nothing: false when that took longer. */
    public boolean awaitNothingHeld(long timeoutNanos) {
      long deadline = System.nanoTime() + timeoutNanos;
      lock.lock();
      try {
        waiting.incrementAndGet();
        try {
          while (!closed && requests.get() > 0 && deadline - System.nanoTime() > 0) {
            freed.awaitNanos(deadline - System.nanoTime());
          }
          return requests.get() == 0;
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          return false;
        } finally {
          waiting.decrementAndGet();
        }
      } finally {
        lock.unlock();
      }
    }

    public long heldBytes() {
      return heldBytes.get();
    }

    public long requests() {
      return requests.get();
    }

    private void wakeUp() {
      if (waiting.get() > 0) {
        lock.lock();
        try {
          freed.signalAll();
        } finally {
          lock.unlock();
        }
      }
    }
  }
}
