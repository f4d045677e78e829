package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.MemoryBudget;
import dev.sluice.gateway.memory.PipePool;
import dev.sluice.gateway.net.TcpLink;
import dev.sluice.gateway.net.TcpListener;
import dev.sluice.gateway.net.TcpSocket;
import dev.sluice.gateway.posix.Pipe;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Listens for connections and serves the calls that come on them. Each connection has a thread of
 * its own.
 */
public final class RpcServer implements AutoCloseable {
  /** The longest call that is read. */
  public static final int RECORD_BYTES_MAX = RecordReader.RECORD_BYTES_MAX;

  private static final long STACK_BYTES = 512 << 10;
  private static final int DUPLICATES_MAX = 64 << 10;
  private static final long DUPLICATE_BYTES_MAX = 32 << 20;
  private static final long KEPT_BYTES_PER_SIZE = 64 << 20;

  /** Each takes two descriptors; the user of a process that is not root's may have 64. */
  private static final int PIPES_MAX = 32;

  /** What clients that take their replies slowly keep from others. */
  private static final int PIPES_PER_CONNECTION_MAX = 8;

  private static final int PIPES_KEPT_MAX = 8;

  private static final int AFTER_FAILED_ACCEPT_MILLIS = 20;
  private static final long AFTER_ABORT_NANOS = 5_000_000_000L;

  /** Who was silent for so long is ended where there is no room for another. */
  private static final long IDLE_ENOUGH_NANOS = 60_000_000_000L;

  private static final long IDLE_ENDS_NANOS = 100_000_000L;

  private final RpcServerSettings settings;
  private final RpcServerParts parts;
  private final Doorkeeper doorkeeper;
  private final Caretaker caretaker;
  private final List<TcpListener> listeners = new ArrayList<>();
  private final List<Thread> acceptors = new ArrayList<>();
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final RateLimitedLog log =
      new RateLimitedLog(System.getLogger(RpcServer.class.getName()));
  private volatile boolean stopping;

  /** A server that does not listen yet, and whose memory of replies ends with it. */
  public RpcServer(List<RpcProgram> programs, Admissions admissions, RpcServerSettings settings)
      throws IOException {
    this(programs, admissions, settings, null);
  }

  /**
   * A server that does not listen yet.
   *
   * @param journal what of its replies outlives it; null where nothing does
   */
  public RpcServer(
      List<RpcProgram> programs,
      Admissions admissions,
      RpcServerSettings settings,
      @Nullable ReplyJournal journal)
      throws IOException {
    this.settings = settings;
    DuplicateRequestCache duplicates =
        new DuplicateRequestCache(DUPLICATES_MAX, DUPLICATE_BYTES_MAX, journal);
    long patienceNanos = settings.patience().toNanos();
    parts =
        new RpcServerParts(
            new Programs(programs),
            admissions,
            new CallService(duplicates),
            duplicates,
            new BufferPool(Math.min(KEPT_BYTES_PER_SIZE, settings.memoryBytesMax() / 4)),
            newPipes(settings),
            newPipes(settings),
            new MemoryBudget(settings.memoryBytesMax()),
            new Postponements(),
            new KnownTargets(),
            new OutputFlusher(patienceNanos),
            new RpcCounters(),
            new RecordReader.Patience(patienceNanos, settings.idle().toNanos()),
            new AtomicInteger(),
            log,
            this::left);
    doorkeeper =
        new Doorkeeper(
            settings.isClient(), settings.connectionsMax(), settings.connectionsPerAddressMax());
    caretaker = new Caretaker(parts, connections, this::start);
  }

  /** Contents begin and end within pages, and come by the network in pieces of pages. */
  private static PipePool newPipes(RpcServerSettings settings) {
    return new PipePool(
        PIPES_MAX,
        PIPES_PER_CONNECTION_MAX,
        PIPES_KEPT_MAX,
        Math.max(Pipe.ROOMY_BYTES, 2 * settings.contentsBytesMax()));
  }

  /** Listens on one more address; port 0 is any that is free. Says where it listens. */
  public synchronized InetSocketAddress listen(InetAddress address, int port) throws IOException {
    if (stopping) {
      throw new IllegalStateException("the server has stopped");
    }
    TcpListener listener = TcpListener.open(address, port, settings.ending());
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
    ClientAddress address = ClientAddress.of(socket.peer().getAddress().getAddress());
    Doorkeeper.Verdict verdict = doorkeeper.enter(address);
    if (verdict == Doorkeeper.Verdict.TOO_MANY && endIdlest()) {
      verdict = doorkeeper.enter(address);
    }
    if (verdict != Doorkeeper.Verdict.WELCOME) {
      turnAway(socket, verdict);
      return;
    }
    Connection connection = null;
    try {
      connection = new Connection(socket, parts);
      connections.add(connection);
      start(connection, new CallReader(connection));
      parts.counters().accepted.increment();
    } catch (OutOfMemoryError e) {
      // No thread for one more; the others go on.
      parts.counters().refused.increment();
      log.log(Level.WARNING, "no memory for a connection from " + socket.peer(), e);
      if (connection == null) {
        doorkeeper.leave(address);
        socket.close();
      } else {
        connection.close();
        left(connection);
      }
    }
  }

  private void turnAway(TcpSocket socket, Doorkeeper.Verdict verdict) {
    boolean stranger = verdict == Doorkeeper.Verdict.STRANGER;
    (stranger ? parts.counters().strangers : parts.counters().refused).increment();
    socket.close();
    log.log(
        Level.WARNING,
        switch (verdict) {
          case STRANGER ->
              socket.peer() + " was turned away: no export names its address among its clients";
          case TOO_MANY_OF_THIS_ADDRESS ->
              socket.peer()
                  + " was turned away: its address has "
                  + settings.connectionsPerAddressMax()
                  + " connections already";
          default ->
              socket.peer()
                  + " was turned away: there are "
                  + settings.connectionsMax()
                  + " connections already, and none is idle";
        },
        null);
  }

  /**
   * Ends the connection that has been silent for longest, if that is long; whether there is one.
   */
  private boolean endIdlest() {
    long nowNanos = System.nanoTime();
    Connection idlest = null;
    for (Connection connection : connections) {
      if (idlest == null || connection.idleNanos(nowNanos) > idlest.idleNanos(nowNanos)) {
        idlest = connection;
      }
    }
    if (idlest == null || idlest.idleNanos(nowNanos) < IDLE_ENOUGH_NANOS) {
      return false;
    }
    Thread thread = idlest.thread();
    idlest.abort();
    if (thread != null) {
      join(thread, IDLE_ENDS_NANOS);
    }
    return true;
  }

  /** Has a connection read by this one from now on, on a thread of its own. */
  private void start(Connection connection, CallReader reader) {
    Thread thread = new Thread(null, reader, "rpc-" + connection, STACK_BYTES);
    thread.setDaemon(true);
    connection.readBy(reader, thread);
    thread.start();
  }

  private void left(Connection connection) {
    if (connections.remove(connection)) {
      doorkeeper.leave(connection.client());
    }
  }

  /** Who is connected. */
  public Set<TcpLink> links() {
    return connections.stream()
        .map(connection -> connection.socket().link())
        .collect(Collectors.toSet());
  }

  /** What happened here so far. */
  public RpcStatistics statistics() {
    long inFlight = connections.stream().mapToLong(Connection::underWay).sum();
    MemoryBudget budget = parts.budget();
    return parts
        .counters()
        .statistics(connections.size(), inFlight, budget.totalBytes() - budget.freeBytes());
  }

  /** How many bytes of buffers are in use; nothing but leaks is left when all have ended. */
  long bufferBytes() {
    return parts.pool().outBytes();
  }

  /** How many pipes are in use; nothing but leaks either. */
  int pipes() {
    return parts.pipes().out() + parts.incomingPipes().out();
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
    connections.forEach(Connection::stop);
    connections.forEach(connection -> joinReader(connection, deadline - System.nanoTime()));
    connections.forEach(Connection::abort);
    // One that is stuck in the storage cannot be helped.
    long lastCall = System.nanoTime() + AFTER_ABORT_NANOS;
    connections.forEach(connection -> joinReader(connection, lastCall - System.nanoTime()));
    caretaker.close();
    parts.flusher().close();
    parts.pipes().close();
    parts.incomingPipes().close();
  }

  /** Whether no call is being served any more, after it was stopped. */
  public boolean hasEnded() {
    return stopping && connections.isEmpty() && parts.standIns().get() == 0;
  }

  private static void joinReader(Connection connection, long timeoutNanos) {
    Thread thread = connection.thread();
    if (thread != null) {
      join(thread, timeoutNanos);
    }
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
