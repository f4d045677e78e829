package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.gateway.rpc.GivenContents;
import dev.sluice.gateway.rpc.ReplyContents;
import dev.sluice.gateway.rpc.ReplyJournal;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Slots;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** NFS version 4.1 and 4.2. */
public final class Nfs4Program implements RpcProgram {
  private static final Work NOTHING = new Work(null, null, 0, 0, false, null);

  private final Nfs4Parts parts;
  private final LongAdder delays = new LongAdder();

  /**
   * @param states what is remembered of clients
   * @param lease for how long, without a word of theirs
   * @param began when the server began, which is what the directories above exports show
   */
  public Nfs4Program(
      Exports exports, HandleCodec handles, Nfs4States states, Duration lease, Timestamp began) {
    this(exports, handles, TransferSize.USUAL, states, OwnerNames.NUMBERS, null, lease, began);
  }

  Nfs4Program(
      Exports exports,
      HandleCodec handles,
      TransferSize transfers,
      Nfs4States states,
      OwnerNames owners,
      @Nullable ReplyJournal journal,
      Duration lease,
      Timestamp began) {
    this(
        new Nfs4Parts(
            exports,
            handles,
            transfers,
            new PseudoTree(exports, began),
            new AttributeCodec(handles, owners, transfers, (int) lease.toSeconds()),
            states,
            new RangeProgress(),
            journal == null ? null : new KeptCompounds(journal),
            System::nanoTime));
  }

  Nfs4Program(Nfs4Parts parts) {
    this.parts = parts;
  }

  /** What clients have, and were told. */
  public Nfs4Figures figures() {
    long nowNanos = parts.nowNanos();
    Nfs4States states = parts.states();
    return new Nfs4Figures(
        states.figures(nowNanos),
        states.slots(),
        states.slotsKept(),
        states.isInGrace(nowNanos),
        delays.sum());
  }

  @Override
  public int program() {
    return Nfs4Sizes.PROGRAM;
  }

  @Override
  public int version() {
    return Nfs4Sizes.VERSION;
  }

  @Override
  public @Nullable Slots slots(Work work) {
    if (!(work.remembered() instanceof Opening opening)) {
      return null;
    }
    try {
      return SessionSlots.used(parts.states(), opening);
    } catch (StateException _) {
      // It keeps nothing, and learns that when it is served.
      return null;
    }
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return procedure == Nfs4Sizes.PROCEDURE_NULL || procedure == Nfs4Sizes.PROCEDURE_COMPOUND;
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    if (call.procedure() == Nfs4Sizes.PROCEDURE_NULL) {
      return NOTHING;
    }
    int start = arguments.position();
    Work work = new CompoundInspector(parts, call, arguments).inspect();
    arguments.buffer().position(start);
    return work;
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    return serve(
        call, work, arguments, GivenContents.AMONG_ARGUMENTS, results, ReplyContents.COPIED);
  }

  @Override
  public Served serve(
      RpcCall call,
      Work work,
      XdrReader arguments,
      GivenContents given,
      XdrWriter results,
      ReplyContents contents) {
    if (call.procedure() == Nfs4Sizes.PROCEDURE_NULL) {
      return Served.ONE;
    }
    return new CompoundRun(parts, call, work.handle(), arguments, given, results, contents).run();
  }

  @Override
  public void refuse(RpcCall call, Work work, XdrWriter results) {
    CompoundRun.refuse(parts, call.client(), opening(work), Nfs4Status.BADHANDLE, results);
  }

  @Override
  public void postpone(RpcCall call, Work work, XdrWriter results) {
    delays.increment();
    CompoundRun.refuse(parts, call.client(), opening(work), Nfs4Status.DELAY, results);
  }

  private static Opening opening(Work work) {
    if (work.remembered() instanceof Opening opening) {
      return opening;
    }
    throw new XdrException("a COMPOUND that begins with no SEQUENCE is never so large");
  }
}
