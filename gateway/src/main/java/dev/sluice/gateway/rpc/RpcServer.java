package dev.sluice.gateway.rpc;

import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.MemoryBudget;
import dev.sluice.gateway.net.TcpListener;
import dev.sluice.gateway.net.TcpSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listens for connections and serves the calls that come on them. Each connection has a thread of
 * its own.
 */
public final class RpcServer implements AutoCloseable {
  private static final long STACK_BYTES = 512 << 10;
  private static final int DUPLICATES_MAX = 64 << 10;
  private static final long DUPLICATE_BYTES_MAX = 32 << 20;
  private static final long KEPT_BYTES_PER_SIZE = 64 << 20;
  private static final int AFTER_FAILED_ACCEPT_MILLIS = 20;
  private static final long AFTER_ABORT_NANOS = 5_000_000_000L;

  private final RpcServerSettings settings;
  private final RpcServerParts parts;
  private final List<TcpListener> listeners = new ArrayList<>();
  private final List<Thread> acceptors = new ArrayList<>();
  private final Map<Connection, Thread> connections = new ConcurrentHashMap<>();
  private final RateLimitedLog log =
      new RateLimitedLog(System.getLogger(RpcServer.class.getName()));
  private volatile boolean stopping;

  /** A server that does not listen yet. */
  public RpcServer(List<RpcProgram> programs, Admissions admissions, RpcServerSettings settings)
      throws IOException {
    this.settings = settings;
    DuplicateRequestCache duplicates =
        new DuplicateRequestCache(DUPLICATES_MAX, DUPLICATE_BYTES_MAX);
    long stallNanosMax = settings.patience().toNanos();
    parts =
        new RpcServerParts(
            new Programs(programs),
            admissions,
            new CallService(duplicates),
            duplicates,
            new BufferPool(KEPT_BYTES_PER_SIZE),
            new MemoryBudget(settings.memoryBytesMax()),
            new OutputFlusher(stallNanosMax),
            new RpcCounters(),
            stallNanosMax);
  }

  /** Listens on one more address; port 0 is any that is free. Says where it listens. */
  public synchronized InetSocketAddress listen(InetAddress address, int port) throws IOException {
    if (stopping) {
      throw new IllegalStateException("the server has stopped");
    }
    TcpListener listener = TcpListener.open(address, port);
    listeners.add(listener);
    Thread acceptor = new Thread(() -> acceptAll(listener), "rpc-accept-" + listener.address());
    acceptor.setDaemon(true);
    acceptors.add(acceptor);
    acceptor.start();
    return listener.address();
  }

  private void acceptAll(TcpListener listener) {
    try {
      while (!stopping) {
        try {
          serve(listener.accept((int) settings.patience().toMillis()));
        } catch (IOException e) {
          if (!stopping) {
            // Too many open files, most likely: those who have a connection will end some day.
            log.log(Level.WARNING, "cannot accept connections on " + listener.address(), e);
            Thread.sleep(AFTER_FAILED_ACCEPT_MILLIS);
          }
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      listener.close();
    }
  }

  private void serve(TcpSocket socket) {
    if (connections.size() >= settings.connectionsMax()) {
      parts.counters().refused.increment();
      socket.close();
      return;
    }
    try {
      Connection connection = new Connection(socket, parts);
      Thread thread = new Thread(null, () -> run(connection), "rpc-" + socket.peer(), STACK_BYTES);
      thread.setDaemon(true);
      connections.put(connection, thread);
      thread.start();
      parts.counters().accepted.increment();
    } catch (OutOfMemoryError e) {
      // No thread or no buffer for one more; the others go on.
      parts.counters().refused.increment();
      socket.close();
      log.log(Level.WARNING, "no memory for a connection from " + socket.peer(), e);
    }
  }

  private void run(Connection connection) {
    try {
      connection.run();
    } finally {
      connections.remove(connection);
    }
  }

  /** What happened here so far. */
  public RpcStatistics statistics() {
    long inFlight = connections.keySet().stream().mapToLong(Connection::inFlight).sum();
    MemoryBudget budget = parts.budget();
    return parts
        .counters()
        .statistics(connections.size(), inFlight, budget.totalBytes() - budget.freeBytes());
  }

  /** How many bytes of buffers are in use; nothing but leaks is left when all have ended. */
  long bufferBytes() {
    return parts.pool().outBytes();
  }

  /**
   * Accepts and reads nothing more, lets what is under way end for so long, and closes all
   * connections.
   */
  public synchronized void stop(Duration timeout) {
    stopping = true;
    long deadline = System.nanoTime() + timeout.toNanos();
    listeners.forEach(TcpListener::shutdown);
    acceptors.forEach(acceptor -> join(acceptor, Long.MAX_VALUE));
    connections.keySet().forEach(Connection::stop);
    List<Thread> readers = List.copyOf(connections.values());
    readers.forEach(reader -> join(reader, deadline - System.nanoTime()));
    connections.keySet().forEach(Connection::abort);
    // One that is stuck in the storage cannot be helped.
    long lastCall = System.nanoTime() + AFTER_ABORT_NANOS;
    readers.forEach(reader -> join(reader, lastCall - System.nanoTime()));
    parts.flusher().close();
  }

  private static void join(Thread thread, long timeoutNanos) {
    boolean interrupted = false;
    long began = System.nanoTime();
    long left = timeoutNanos;
    while (left > 0 && thread.isAlive()) {
      try {
        thread.join(Duration.ofNanos(left));
      } catch (InterruptedException _) {
        interrupted = true;
      }
      left = timeoutNanos - (System.nanoTime() - began);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops without waiting for what is under way. */
  @Override
  public void close() {
    stop(Duration.ZERO);
  }
}
