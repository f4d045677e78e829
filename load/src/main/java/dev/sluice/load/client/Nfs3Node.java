package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node that speaks NFSv3.
 *
 * <p>A call that the server tells to come later (NFS3ERR_JUKEBOX) is made anew after a while, under
 * another number; those of others go on meanwhile.
 */
final class Nfs3Node implements NodeConnection {
  private static final RpcConnection.Program PROGRAM =
      new RpcConnection.Program(Nfs3Procedure.PROGRAM, Nfs3Procedure.VERSION);

  private final RpcConnections connections;
  private final Executor later;

  /** What was told to come later, and has not yet. */
  private final Set<Asked<?>> waiting = ConcurrentHashMap.newKeySet();

  private final LongAdder toldToComeLater = new LongAdder();
  private volatile boolean closed;

  Nfs3Node(InetSocketAddress server, int count, ClientTimes times) throws IOException {
    this.connections = RpcConnections.open(server, PROGRAM, count, times);
    // Sending may block, and so it is not done on the thread that keeps the time.
    this.later =
        CompletableFuture.delayedExecutor(
            times.comeBackAfter().toNanos(), TimeUnit.NANOSECONDS, Thread::startVirtualThread);
  }

  @Override
  public NfsClient as(Credential caller) {
    return new Nfs3Client(this, caller);
  }

  <T> CompletableFuture<T> call(
      Credential caller,
      int procedure,
      PendingCall.Arguments arguments,
      @Nullable Payload payload,
      PendingCall.Results<T> results) {
    Asked<T> asked =
        new Asked<>(
            () -> connections.inTurn().call(caller, procedure, arguments, payload, results));
    attempt(asked);
    return asked.answer;
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
    closed = true;
    connections.close();
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
