package dev.sluice.load.client;

import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.CompoundOperation;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.nfs.xdr.XdrReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How a node makes itself known to a server of version 4, again after the server has forgotten it:
 * then what was open is opened anew.
 */
final class Nfs4Introduction {
  static final int MINOR_VERSION = 1;

  /** Read and write. */
  static final int ACCESS_BOTH = 3;

  static final int DENY_NONE = 0;

  /** As Linux speaks of its own affairs, whoever uses the node. */
  static final Credential MACHINE = new Credential.Sys("node", 0, 0);

  /** What Linux asks for. */
  private static final int SLOTS = 64;

  /** What stands around contents. */
  private static final int OVERHEAD_BYTES = 4 << 10;

  private static final CompoundOperation.Channel CHANNEL =
      new CompoundOperation.Channel(
          Nfs3Sizes.TRANSFER_BYTES_MAX + OVERHEAD_BYTES, 2_048, Nfs4Sizes.OPERATIONS_MAX, SLOTS);

  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** At the end nobody is waited for longer. */
  private static final Duration GOODBYE = Duration.ofSeconds(1);

  private final RpcConnections connections;
  private final Duration patience;
  private final long verifier = ThreadLocalRandom.current().nextLong();
  private final String name =
      "sluice-load-"
          + ProcessHandle.current().pid()
          + "-"
          + Long.toUnsignedString(verifier, Character.MAX_RADIX);
  private final Map<OpenState, Handle> opens = new ConcurrentHashMap<>();

  Nfs4Introduction(RpcConnections connections, Duration patience) {
    this.connections = connections;
    this.patience = patience;
  }

  /** From now on it is opened again on a server that has forgotten it. */
  void opened(OpenState state, Handle file) {
    opens.put(state, file);
  }

  void closed(OpenState state) {
    opens.remove(state);
  }

  /**
   * Makes a session; waits for the server as long as the patience lasts.
   *
   * @param lost the one before
   */
  Nfs4Session session(@Nullable Nfs4Session lost) throws IOException {
    long endNanos = System.nanoTime() + patience.toNanos();
    Nfs4Session fresh = null;
    while (true) {
      try {
        if (fresh == null) {
          fresh = created();
        }
        if (lost == null || lost.clientId() != fresh.clientId()) {
          reopenAll(fresh);
        }
        return fresh;
      } catch (Nfs4Exception refused) {
        boolean mayPass =
            switch (refused.status()) {
              case DELAY, GRACE, STALE_CLIENTID, BADSESSION, DEADSESSION -> true;
              default -> false;
            };
        // One that is only told to wait goes on with the session it has: a client may have few.
        boolean isKept =
            refused.status() == Nfs4Status.DELAY || refused.status() == Nfs4Status.GRACE;
        fresh = isKept ? fresh : null;
        if (!mayPass || System.nanoTime() - endNanos > 0) {
          throw refused;
        }
        LockSupport.parkNanos(AGAIN_NANOS);
      }
    }
  }

  private Nfs4Session created() throws IOException {
    record Introduced(long clientId, int sequence) {}
    Introduced introduced =
        await(
            List.of(CompoundOperation.exchangeId(verifier, name)),
            answer -> {
              XdrReader in = answer.next(Nfs4Operation.EXCHANGE_ID);
              return new Introduced(in.readLong(), in.readInt());
            });
    return await(
        List.of(CompoundOperation.createSession(introduced.clientId, introduced.sequence, CHANNEL)),
        answer -> {
          XdrReader in = answer.next(Nfs4Operation.CREATE_SESSION);
          SessionId id = SessionId.read(in);
          in.skip(3 * Integer.BYTES); // sequence, flags, padding
          int messageBytesMax = Math.min(in.readInt(), in.readInt());
          in.skip(2 * Integer.BYTES); // replies that are kept, operations
          int slots = Math.clamp(in.readInt(), 1, SLOTS);
          return new Nfs4Session(
              introduced.clientId, id, messageBytesMax - OVERHEAD_BYTES, new SlotTable<>(slots));
        });
  }

  private void reopenAll(Nfs4Session fresh) throws IOException {
    SlotTable.Slot slot = fresh.slots().first();
    try {
      reopenAll(fresh, slot);
    } finally {
      fresh.slots().release(slot);
    }
  }

  private void reopenAll(Nfs4Session fresh, SlotTable.Slot slot) throws IOException {
    for (Map.Entry<OpenState, Handle> open : opens.entrySet()) {
      open.getKey().renamed(reopened(fresh, slot, open.getKey().owner(), open.getValue()));
    }
    try {
      inSlot(
          fresh,
          slot,
          List.of(CompoundOperation.reclaimComplete()),
          answer -> answer.next(Nfs4Operation.RECLAIM_COMPLETE));
    } catch (Nfs4Exception refused) {
      if (refused.status() != Nfs4Status.COMPLETE_ALREADY) {
        throw refused;
      }
    }
  }

  /** Claims it while that can be done, or else opens it as something new. */
  private StateId reopened(Nfs4Session fresh, SlotTable.Slot slot, String owner, Handle file)
      throws IOException {
    CompoundOperation put = CompoundOperation.putHandle(file.bytes());
    Nfs4Answer.Results<StateId> results =
        answer -> {
          answer.next(Nfs4Operation.PUTFH);
          return answer.nextOpened();
        };
    try {
      CompoundOperation claim = CompoundOperation.reclaim(0, owner, ACCESS_BOTH, DENY_NONE);
      return inSlot(fresh, slot, List.of(put, claim), results);
    } catch (Nfs4Exception refused) {
      if (refused.status() != Nfs4Status.NO_GRACE && refused.status() != Nfs4Status.RECLAIM_BAD) {
        throw refused;
      }
      CompoundOperation open = CompoundOperation.openCurrent(0, owner, ACCESS_BOTH, DENY_NONE);
      try {
        return inSlot(fresh, slot, List.of(put, open), results);
      } catch (Nfs4Exception alsoRefused) {
        alsoRefused.addSuppressed(refused);
        throw alsoRefused;
      }
    }
  }

  /** Says goodbye; whatever the server says to that. */
  void leave(Nfs4Session session) {
    CompletableFuture<?> left =
        call(
                List.of(
                    new CompoundOperation(
                        Nfs4Operation.DESTROY_SESSION, out -> session.id().write(out))),
                answer -> answer.next(Nfs4Operation.DESTROY_SESSION))
            .thenComposeAsync(
                _ ->
                    call(
                        List.of(
                            new CompoundOperation(
                                Nfs4Operation.DESTROY_CLIENTID,
                                out -> out.writeLong(session.clientId()))),
                        answer -> answer.next(Nfs4Operation.DESTROY_CLIENTID)),
                Thread::startVirtualThread)
            .orTimeout(GOODBYE.toNanos(), TimeUnit.NANOSECONDS)
            .handle((_, _) -> true);
    left.join();
  }

  private <T> T inSlot(
      Nfs4Session session,
      SlotTable.Slot slot,
      List<CompoundOperation> operations,
      Nfs4Answer.Results<T> results)
      throws IOException {
    List<CompoundOperation> all = new ArrayList<>();
    // To be kept: what is claimed cannot be claimed again when the answer gets lost.
    all.add(CompoundOperation.sequence(session.id(), slot.next(), slot.number(), 0, true));
    all.addAll(operations);
    return await(
        all,
        answer -> {
          answer.next(Nfs4Operation.SEQUENCE).skip(SessionId.BYTES + 5 * Integer.BYTES);
          return results.readFrom(answer);
        });
  }

  private <T> T await(List<CompoundOperation> operations, Nfs4Answer.Results<T> results)
      throws IOException {
    return Answers.await(call(operations, results));
  }

  private <T> CompletableFuture<T> call(
      List<CompoundOperation> operations, Nfs4Answer.Results<T> results) {
    return connections
        .inTurn()
        .call(
            MACHINE,
            Nfs4Sizes.PROCEDURE_COMPOUND,
            out -> CompoundOperation.write(MINOR_VERSION, operations, out),
            null,
            in -> results.readFrom(new Nfs4Answer(in)));
  }
}
