package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.MemoryBudget;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * One thread that looks after what no reader and no worker can see to while it works: readers that
 * are kept by one call, calls whose clients are gone, calls that are told to come later, and memory
 * for those who come new.
 */
final class Caretaker implements AutoCloseable {
  /** Half of what a reader may be kept for. */
  private static final long BUSY_NANOS = CallReader.STUCK_NANOS / 2;

  /** Nobody was here lately. */
  private static final long QUIET_NANOS = 25_000_000L;

  private static final long SELDOM_NANOS = 1_000_000_000L;

  /** Buffers that nobody needed for so long are given back. */
  private static final long UNUSED_NANOS = 10_000_000_000L;

  /** More readers than this in place of others mean that the processors are what is short. */
  private static final int STAND_INS_MAX = 64;

  private final RpcServerParts parts;
  private final Collection<Connection> connections;
  private final BiConsumer<Connection, CallReader> start;
  private final Thread thread = new Thread(this::run, "rpc-caretaker");
  private volatile boolean closed;

  /**
   * @param connections those that are open, as they come and go
   * @param start starts another reader of a connection
   */
  Caretaker(
      RpcServerParts parts,
      Collection<Connection> connections,
      BiConsumer<Connection, CallReader> start) {
    this.parts = parts;
    this.connections = connections;
    this.start = start;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long lastCalls = 0;
    long seldomNanos = System.nanoTime();
    long unusedNanos = seldomNanos;
    while (!closed) {
      long calls = parts.counters().calls.sum();
      boolean quiet = calls == lastCalls && parts.postponements().isEmpty();
      lastCalls = calls;
      LockSupport.parkNanos(quiet ? QUIET_NANOS : BUSY_NANOS);
      try {
        long nowNanos = System.nanoTime();
        lookAfter(nowNanos);
        if (nowNanos - seldomNanos > SELDOM_NANOS) {
          seldomNanos = nowNanos;
          parts.budget().forgetIdle(nowNanos);
        }
        if (nowNanos - unusedNanos > UNUSED_NANOS) {
          unusedNanos = nowNanos;
          parts.pool().letGoOfUnused();
        }
      } catch (RuntimeException | Error e) {
        parts.log().log(Level.ERROR, "looking after connections failed and goes on", e);
      }
    }
  }

  private void lookAfter(long nowNanos) {
    for (Connection connection : connections) {
      replaceIfStuck(connection, nowNanos);
    }
    parts.targets().purgeIfAsked();
    MemoryBudget budget = parts.budget();
    long missing = budget.reserveBytes() - budget.freeBytes();
    if (missing > budget.reserveBytes() / 2) {
      parts.targets().reclaim(missing, nowNanos);
    }
    parts.postponements().tellDue(nowNanos);
  }

  private void replaceIfStuck(Connection connection, long nowNanos) {
    CallReader reader = connection.reader();
    if (reader == null || parts.standIns().get() >= STAND_INS_MAX) {
      return;
    }
    try {
      CallReader another = reader.replaceIfStuck(nowNanos);
      if (another != null) {
        start.accept(connection, another);
      }
    } catch (IOException _) {
      // The reader will see for itself that the client is gone.
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
