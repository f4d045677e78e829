package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.net.TcpSocket;
import dev.sluice.gateway.target.TargetService;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: what all that serve its calls share. Its calls are read by a {@link
 * CallReader}, one at a time.
 *
 * <p>A client sends all its users' calls over one connection, so nothing here may make one of them
 * wait for another.
 */
final class Connection implements DuplicateRequestCache.Asker {
  /** For so long after two jobs were here a third may be expected. */
  private static final long SHARED_NANOS = 60_000_000_000L;

  /** So long a client that was found there is taken to be there still. */
  private static final long THERE_NANOS = 500_000L;

  private static final int PRIVILEGED_PORTS_END = 1_024;

  private final RpcServerParts parts;
  private final TcpSocket socket;
  private final ClientAddress client;
  private final boolean privilegedPort;
  private final OutputQueue output;
  private final IncomingPipes incomingPipes;

  /** Calls that are not answered yet, and what they hold. */
  private final AtomicInteger underWay = new AtomicInteger();

  private final AtomicLong heldBytes = new AtomicLong();

  /** The numbers of calls that wait at a target. */
  private final Set<Integer> waiting = ConcurrentHashMap.newKeySet();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition nothingUnderWay = lock.newCondition();

  private volatile @Nullable CallReader reader;
  private volatile @Nullable Thread thread;

  /** Whether a reader that another took over from still serves a call; there is one at most. */
  private volatile boolean readerReplaced;

  private volatile boolean stopping;
  private volatile boolean gone;
  private volatile long lastCallNanos = System.nanoTime();

  /** When the system was last asked, and knew the client to be there. */
  private volatile long foundThereNanos = System.nanoTime() - THERE_NANOS;

  /** Which jobs use it; known to the reader alone. */
  private @Nullable JobId lastJob;

  private long sharedSinceNanos;
  private boolean shared;

  Connection(TcpSocket socket, RpcServerParts parts) {
    this.socket = socket;
    this.parts = parts;
    client = ClientAddress.of(socket.peer().getAddress().getAddress());
    privilegedPort = socket.peer().getPort() < PRIVILEGED_PORTS_END;
    output =
        new OutputQueue(
            socket,
            parts.pool(),
            parts.pipes().share(),
            parts.flusher(),
            parts.counters(),
            this::ended);
    incomingPipes = new IncomingPipes(parts.incomingPipes().share());
  }

  RpcServerParts parts() {
    return parts;
  }

  TcpSocket socket() {
    return socket;
  }

  ClientAddress client() {
    return client;
  }

  boolean isFromPrivilegedPort() {
    return privilegedPort;
  }

  OutputQueue output() {
    return output;
  }

  IncomingPipes incomingPipes() {
    return incomingPipes;
  }

  /** Reads from now on, in place of whoever did. */
  void readBy(CallReader another, Thread itsThread) {
    reader = another;
    thread = itsThread;
  }

  @Nullable CallReader reader() {
    return reader;
  }

  @Nullable Thread thread() {
    return thread;
  }

  /** A reader serves a call that takes long, and another reads in its place. */
  void readerReplaced() {
    readerReplaced = true;
    parts.standIns().incrementAndGet();
  }

  void replacedReaderEnded() {
    parts.standIns().decrementAndGet();
    readerReplaced = false;
  }

  /** Whether one is replaced already: then nobody who reads here may serve. */
  boolean hasReplacedReader() {
    return readerReplaced;
  }

  /** Reads no more; what is under way is served and replied to. */
  void stop() {
    stopping = true;
    socket.shutdownInput();
  }

  /** Ends at once. */
  void abort() {
    stopping = true;
    gone = true;
    socket.shutdown();
    lock.lock();
    try {
      nothingUnderWay.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isStopping() {
    return stopping;
  }

  /** Its calls are nobody's any more: those that wait end now, and none of them has an effect. */
  void leave() {
    gone = true;
    if (!waiting.isEmpty()) {
      parts.targets().purge();
    }
  }

  @Override
  public boolean isThere() {
    return !gone;
  }

  /**
   * Whether the client is still there, as the system knows it: it may be gone while calls that it
   * sent before are still unserved or even unread, and may have done other things on another
   * connection since. An answer holds for half a millisecond: nobody starts anew so quickly, and
   * asking each time is a tenth of the cost of a small write.
   */
  boolean isClientThere() {
    if (gone || stopping) {
      return !gone;
    }
    long nowNanos = System.nanoTime();
    if (nowNanos - foundThereNanos < THERE_NANOS) {
      return true;
    }
    if (socket.hasEnded()) {
      return false;
    }
    foundThereNanos = nowNanos;
    return true;
  }

  /** A call is taken on. */
  void begin(Holding holding, long nowNanos) {
    lastCallNanos = nowNanos;
    heldBytes.addAndGet(holding.bytes());
    underWay.incrementAndGet();
    Slots slots = holding.slots();
    if (slots != null) {
      slots.keep(holding.memory().job());
    }
  }

  /** A call that was taken on is answered, or will never be. */
  void ended(Holding holding) {
    heldBytes.addAndGet(-holding.bytes());
    Slots slots = holding.slots();
    if (slots != null) {
      slots.release(holding.memory().job());
    }
    if (underWay.decrementAndGet() == 0 && (stopping || gone)) {
      lock.lock();
      try {
        nothingUnderWay.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** What its calls hold that are under way. */
  long heldBytes() {
    return heldBytes.get();
  }

  int underWay() {
    return underWay.get();
  }

  /** Waits until nothing is under way, for so long at most. */
  void awaitNothingUnderWay(long timeoutNanos) {
    lock.lock();
    try {
      long left = timeoutNanos;
      while (underWay.get() > 0 && left > 0) {
        left = nothingUnderWay.awaitNanos(left);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /** A call waits at a target. */
  void waits(int xid, TargetService target) {
    waiting.add(xid);
    parts.targets().remember(target);
  }

  /** A call waits no longer. */
  void waitsNoLonger(int xid) {
    waiting.remove(xid);
  }

  /** Whether a call with this number waits: the client asks again, and will get its one answer. */
  boolean isWaiting(int xid) {
    return !waiting.isEmpty() && waiting.contains(xid);
  }

  /** A call of this job came; for the reader. */
  void usedBy(JobId job, long nowNanos) {
    JobId last = lastJob;
    if (last != null && !last.equals(job)) {
      shared = true;
      sharedSinceNanos = nowNanos;
    }
    lastJob = job;
  }

  /** Whether calls of more than one job came lately; for the reader. */
  boolean isShared(long nowNanos) {
    shared &= nowNanos - sharedSinceNanos < SHARED_NANOS;
    return shared;
  }

  @Override
  public void reply(ByteBuffer record) {
    send(record.remaining(), out -> out.bytes().put(record));
  }

  /** Tells the sender of a call to ask again later. */
  void postpone(RpcProgram program, RpcCall call, Work work) {
    if (gone) {
      return;
    }
    Work undone = work.refused();
    // Counted first: who has the answer may look at once.
    parts.counters().postponed.increment();
    send(
        CallService.recordBytesMax(undone),
        out -> parts.calls().postpone(program, call, undone, out));
  }

  private void send(int bytesMax, Consumer<NativeBuffer> writer) {
    try {
      NativeBuffer out = parts.pool().take(bytesMax);
      writer.accept(out);
      output.addFromWorker(out, 0, out.bytes().position());
    } catch (OutOfMemoryError e) {
      // A client that gets no answer asks again.
      parts.log().log(Level.ERROR, "no memory for a reply to " + this, e);
    }
  }

  /** Gives everything back. Only the thread that reads, when it is done. */
  void close() {
    gone = true;
    socket.shutdown();
    output.close();
    socket.close();
  }

  @Override
  public String toString() {
    return socket.peer().toString();
  }

  /** How long it was silent with nothing under way; 0 when something is. */
  long idleNanos(long nowNanos) {
    return underWay.get() > 0 ? 0 : nowNanos - lastCallNanos;
  }
}
