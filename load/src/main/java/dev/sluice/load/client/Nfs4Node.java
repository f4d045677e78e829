package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.CompoundOperation;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A node that speaks NFS 4.1: one client, with one session over all its connections, whose slots
 * all users share, as Linux has it. Whoever finds no slot free waits in line.
 *
 * <p>What the server tells to come later (NFS4ERR_DELAY, or GRACE after a restart) leaves its slot
 * and is asked for anew after a tenth of a second, and after twice as long each time from then on.
 * When a connection breaks, its requests are sent again in their slots, so that the server does
 * nothing twice. When the server has lost the session, all wait until there is a new one and what
 * was open is open again.
 */
final class Nfs4Node implements NodeConnection {
  private static final RpcConnection.Program PROGRAM =
      new RpcConnection.Program(Nfs4Sizes.PROGRAM, Nfs4Sizes.VERSION);

  private static final long DELAY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long DELAY_NANOS_MAX = TimeUnit.SECONDS.toNanos(15);

  /** No server forgets a client that is heard of so often. */
  private static final Duration RENEW_AFTER = Duration.ofSeconds(15);

  /** A request that is repeated on the same connection is a mistake in version 4. */
  private static final Duration NEVER = Duration.ofDays(365);

  private static final Executor ELSEWHERE = Thread::startVirtualThread;

  private final RpcConnections connections;
  private final Nfs4Introduction introduction;
  private final Semaphore room = new Semaphore(RpcConnection.PENDING_MAX);
  private final LongAdder toldToComeLater = new LongAdder();

  private final AtomicLong owners = new AtomicLong();

  /** What was told to come later, and has not yet. */
  private final Set<Nfs4Request<?>> waiting = ConcurrentHashMap.newKeySet();

  private final Thread renewer;
  private volatile long sentNanos = System.nanoTime();
  private volatile boolean closed;

  /** Guarded by this object's lock, like the next ones. */
  private Nfs4Session session;

  private boolean isRecovering;
  private @Nullable IOException failure;

  /** What waits for a new session. */
  private final List<Nfs4Request<?>> held = new ArrayList<>();

  private Nfs4Node(RpcConnections connections, Duration patience) throws IOException {
    this.connections = connections;
    this.introduction = new Nfs4Introduction(connections, patience);
    this.session = introduction.session(null);
    this.renewer = Thread.ofVirtual().unstarted(this::renewUntilClosed);
  }

  static Nfs4Node open(InetSocketAddress server, int count, ClientTimes times) throws IOException {
    RpcConnections connections =
        RpcConnections.open(
            server,
            PROGRAM,
            count,
            new ClientTimes(times.patience(), NEVER, times.comeBackAfter()));
    try {
      Nfs4Node node = new Nfs4Node(connections, times.patience());
      node.renewer.start();
      return node;
    } catch (IOException e) {
      connections.close();
      throw e;
    }
  }

  @Override
  public NfsClient as(Credential caller) {
    return new Nfs4Client(this, caller);
  }

  /** The most that a READ or WRITE moves in the session. */
  synchronized int transferBytesMax() {
    return session.transferBytesMax();
  }

  /** Opens in different names are different opens. */
  String nextOwner() {
    return "open-" + owners.incrementAndGet();
  }

  Nfs4Introduction introduction() {
    return introduction;
  }

  // Asking.

  /**
   * Asks for operations in the session. Waits only while too much is asked for already, or the
   * server takes nothing in.
   *
   * @param isToBeCached whether the server keeps the reply, because nothing of this may be done
   *     twice
   * @param payload what follows the last operation's arguments
   */
  <T> CompletableFuture<T> call(
      Credential caller,
      boolean isToBeCached,
      List<CompoundOperation> operations,
      @Nullable Payload payload,
      Nfs4Answer.Results<T> results) {
    room.acquireUninterruptibly();
    Nfs4Request<T> asked = new Nfs4Request<>(caller, isToBeCached, operations, payload, results);
    CompletableFuture<T> answer = asked.answer.whenComplete((_, _) -> room.release());
    attempt(asked);
    return answer;
  }

  private void attempt(Nfs4Request<?> asked) {
    Nfs4Session current;
    synchronized (this) {
      IOException failed = failure;
      if (failed != null) {
        asked.answer.completeExceptionally(failed);
        return;
      }
      if (isRecovering) {
        held.add(asked);
        return;
      }
      current = session;
    }
    SlotTable.Slot slot = current.slots().take(asked);
    if (slot != null) {
      send(asked, current, slot, slot.next());
    }
  }

  private <T> void send(Nfs4Request<T> asked, Nfs4Session on, SlotTable.Slot slot, int sequence) {
    sentNanos = System.nanoTime();
    List<CompoundOperation> all = new ArrayList<>(asked.operations.size() + 1);
    all.add(
        CompoundOperation.sequence(
            on.id(), sequence, slot.number(), on.slots().size() - 1, asked.isToBeCached));
    all.addAll(asked.operations);
    CompletableFuture<T> _ =
        connections
            .inTurn()
            .call(
                asked.caller,
                Nfs4Sizes.PROCEDURE_COMPOUND,
                out -> CompoundOperation.write(Nfs4Introduction.MINOR_VERSION, all, out),
                asked.payload,
                in -> read(asked, on, in))
            .whenComplete((result, wrong) -> answered(asked, on, slot, sequence, result, wrong));
  }

  private <T> T read(Nfs4Request<T> asked, Nfs4Session on, XdrReader in) throws IOException {
    Nfs4Answer answer = new Nfs4Answer(in);
    XdrReader results = answer.next(Nfs4Operation.SEQUENCE);
    results.skip(SessionId.BYTES + 3 * Integer.BYTES);
    int targetHighestSlot = results.readInt();
    results.skip(Integer.BYTES);
    sendAll(on, on.slots().limit(targetHighestSlot + 1));
    return asked.results.readFrom(answer);
  }

  /** On the thread that takes answers in, which must not send. */
  private <T> void answered(
      Nfs4Request<T> asked,
      Nfs4Session on,
      SlotTable.Slot slot,
      int sequence,
      @Nullable T result,
      @Nullable Throwable wrong) {
    if (wrong instanceof Nfs4Exception refused && refused.operation() == Nfs4Operation.SEQUENCE) {
      refused(asked, on, slot, sequence, refused);
      return;
    }
    sendAll(on, on.slots().release(slot));
    if (wrong == null) {
      asked.answer.complete(result);
    } else if (wrong instanceof Nfs4Exception refused && saysLater(refused)) {
      toldToComeLater.increment();
      later(asked, () -> attempt(asked));
    } else {
      asked.answer.completeExceptionally(wrong);
    }
  }

  private static boolean saysLater(Nfs4Exception refused) {
    return refused.status() == Nfs4Status.DELAY || refused.status() == Nfs4Status.GRACE;
  }

  /** The request was not even begun. */
  private void refused(
      Nfs4Request<?> asked,
      Nfs4Session on,
      SlotTable.Slot slot,
      int sequence,
      Nfs4Exception refused) {
    switch (refused.status()) {
      // It came twice, and the first is being served: its answer is asked for.
      case DELAY -> later(asked, () -> send(asked, on, slot, sequence));
      // It was done, and may be done again: otherwise the reply would have been kept.
      case RETRY_UNCACHED_REP -> {
        sendAll(on, on.slots().release(slot));
        ELSEWHERE.execute(() -> attempt(asked));
      }
      case BADSESSION, DEADSESSION, BADSLOT, SEQ_MISORDERED -> {
        hold(asked, on);
        sendAll(on, on.slots().release(slot));
      }
      default -> {
        sendAll(on, on.slots().release(slot));
        asked.answer.completeExceptionally(refused);
      }
    }
  }

  private void sendAll(Nfs4Session on, List<SlotTable.Turn<Nfs4Request<?>>> turns) {
    for (SlotTable.Turn<Nfs4Request<?>> turn : turns) {
      ELSEWHERE.execute(() -> send(turn.asker(), on, turn.slot(), turn.slot().next()));
    }
  }

  private void later(Nfs4Request<?> asked, Runnable what) {
    waiting.add(asked);
    if (closed) {
      failWaiting(); // Whoever closed may not have seen this one.
      return;
    }
    long nanos = Math.min(DELAY_NANOS_MAX, DELAY_NANOS_MIN << Math.min(asked.delays++, 10));
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, ELSEWHERE)
        .execute(() -> {
          if (waiting.remove(asked)) {
            what.run();
          }
        });
  }

  // The session.

  /** Has something wait for a new session, which somebody sees to. */
  private synchronized void hold(Nfs4Request<?> asked, Nfs4Session lost) {
    if (!session.id().equals(lost.id()) && !isRecovering) {
      ELSEWHERE.execute(() -> attempt(asked));
      return;
    }
    held.add(asked);
    if (!isRecovering) {
      isRecovering = true;
      ELSEWHERE.execute(() -> recover(lost));
    }
  }

  private void recover(Nfs4Session lost) {
    Nfs4Session fresh = lost;
    IOException failed = null;
    try {
      fresh = introduction.session(lost);
    } catch (IOException e) {
      failed = e;
    }
    List<Nfs4Request<?>> all = new ArrayList<>();
    synchronized (this) {
      session = fresh;
      failure = failed;
      isRecovering = false;
      all.addAll(held);
      held.clear();
    }
    all.addAll(lost.slots().leave());
    all.forEach(this::attempt);
  }

  /** A client that is silent for too long is forgotten. */
  private void renewUntilClosed() {
    while (!closed) {
      LockSupport.parkNanos(RENEW_AFTER.toNanos());
      if (!closed && System.nanoTime() - sentNanos >= RENEW_AFTER.toNanos()) {
        CompletableFuture<Boolean> _ =
            call(Nfs4Introduction.MACHINE, false, List.of(), null, _ -> true);
      }
    }
  }

  // For people.

  @Override
  public int connections() {
    return connections.made();
  }

  @Override
  public int reconnections() {
    return connections.madeAnew();
  }

  @Override
  public long toldToComeLater() {
    return toldToComeLater.sum();
  }

  @Override
  public long repeated() {
    return connections.repeated();
  }

  @Override
  public void close() {
    Nfs4Session last;
    synchronized (this) {
      last = isRecovering || failure != null ? null : session;
    }
    boolean isIdle = last != null && last.slots().isIdle();
    closed = true;
    LockSupport.unpark(renewer);
    if (last != null && isIdle) {
      introduction.leave(last);
    }
    connections.close();
    failWaiting();
  }

  private void failWaiting() {
    IOException reason = new RpcException("the connection is closed");
    List<Nfs4Request<?>> all = new ArrayList<>();
    synchronized (this) {
      if (failure == null) {
        failure = reason;
      }
      all.addAll(held);
      held.clear();
      all.addAll(session.slots().leave());
    }
    for (Nfs4Request<?> request : List.copyOf(waiting)) {
      if (waiting.remove(request)) {
        all.add(request);
      }
    }
    all.forEach(request -> request.answer.completeExceptionally(reason));
  }
}
