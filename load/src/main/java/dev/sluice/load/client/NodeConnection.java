package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a node reaches a server: over one connection that all its users share, as the kernel's client
 * does, or over several that take the calls in turn (Linux calls this nconnect).
 *
 * <p>A call that the server tells to come later (NFS3ERR_JUKEBOX) is made anew after a while, under
 * another number; those of others go on meanwhile.
 */
public final class NodeConnection implements AutoCloseable {
  private static final RpcConnection.Program PROGRAM =
      new RpcConnection.Program(Nfs3Procedure.PROGRAM, Nfs3Procedure.VERSION);

  private final List<RpcConnection> connections;
  private final AtomicInteger turn = new AtomicInteger();
  private final Executor later;

  /** What was told to come later, and has not yet. */
  private final Set<Asked<?>> waiting = ConcurrentHashMap.newKeySet();

  private final LongAdder toldToComeLater = new LongAdder();
  private volatile boolean closed;

  private NodeConnection(List<RpcConnection> connections, ClientTimes times) {
    this.connections = List.copyOf(connections);
    // Sending may block, and so it is not done on the thread that keeps the time.
    this.later =
        CompletableFuture.delayedExecutor(
            times.comeBackAfter().toNanos(), TimeUnit.NANOSECONDS, Thread::startVirtualThread);
  }

  /**
   * Connects.
   *
   * @param count how many connections
   */
  public static NodeConnection open(InetSocketAddress server, int count, ClientTimes times)
      throws IOException {
    List<RpcConnection> opened = new ArrayList<>();
    try {
      while (opened.size() < count) {
        opened.add(RpcConnection.open(server, PROGRAM, times));
      }
    } catch (IOException e) {
      opened.forEach(RpcConnection::close);
      throw e;
    }
    return new NodeConnection(opened, times);
  }

  /** One of the node's users. */
  public NfsClient as(Credential caller) {
    return new NfsClient(this, caller);
  }

  <T> CompletableFuture<T> call(
      Credential caller,
      int procedure,
      PendingCall.Arguments arguments,
      @Nullable Payload payload,
      PendingCall.Results<T> results) {
    Asked<T> asked =
        new Asked<>(() -> inTurn().call(caller, procedure, arguments, payload, results));
    attempt(asked);
    return asked.answer;
  }

  private RpcConnection inTurn() {
    return connections.get(Math.floorMod(turn.getAndIncrement(), connections.size()));
  }

  /** What was asked for, in as many calls as it takes. */
  private static final class Asked<T> {
    final Supplier<CompletableFuture<T>> call;
    final CompletableFuture<T> answer = new CompletableFuture<>();

    Asked(Supplier<CompletableFuture<T>> call) {
      this.call = call;
    }
  }

  private <T> void attempt(Asked<T> asked) {
    CompletableFuture<T> _ =
        asked
            .call
            .get()
            .whenComplete((result, wrong) -> {
              if (wrong == null) {
                asked.answer.complete(result);
              } else if (saysLater(wrong)) {
                toldToComeLater.increment();
                comeBack(asked);
              } else {
                asked.answer.completeExceptionally(wrong);
              }
            });
  }

  private static boolean saysLater(Throwable wrong) {
    return wrong instanceof Nfs3Exception refused && refused.status() == Nfs3Status.JUKEBOX;
  }

  private void comeBack(Asked<?> asked) {
    waiting.add(asked);
    if (closed) {
      failWaiting(); // Whoever closed may not have seen this one.
      return;
    }
    later.execute(() -> {
      if (waiting.remove(asked)) {
        attempt(asked);
      }
    });
  }

  /** How many times its connections were made, all together. */
  public int connections() {
    return connections.stream().mapToInt(RpcConnection::connections).sum();
  }

  /** How often a connection broke and was made anew. */
  public int reconnections() {
    return connections() - connections.size();
  }

  /** How many calls the server told to come later. */
  public long toldToComeLater() {
    return toldToComeLater.sum();
  }

  /** How many calls were sent again because no answer came for long. */
  public long repeated() {
    return connections.stream().mapToLong(RpcConnection::repeated).sum();
  }

  /** Ends it for all users; calls without an answer fail. */
  @Override
  public void close() {
    closed = true;
    connections.forEach(RpcConnection::close);
    failWaiting();
  }

  private void failWaiting() {
    for (Asked<?> asked : List.copyOf(waiting)) {
      if (waiting.remove(asked)) {
        asked.answer.completeExceptionally(new RpcException("the connection is closed"));
      }
    }
  }
}
