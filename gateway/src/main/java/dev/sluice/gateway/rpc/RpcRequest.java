package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.memory.BufferPool;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.target.Served;
import dev.sluice.gateway.target.TargetRequest;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits for its turn at a target, with all that it takes to serve it and reply. It ends
 * once: served here by its reader, served by a worker, abandoned, or postponed; and with it what it
 * holds of its job's memory.
 */
final class RpcRequest extends TargetRequest {
  private final Connection connection;
  private final Admission admission;
  private final RpcProgram program;
  private final RpcCall call;
  private final Work work;
  private final DuplicateRequestCache.@Nullable Entry replay;
  private final Holding holding;

  /** Null when there was no memory to keep them. */
  private @Nullable CallArguments arguments;

  /**
   * @param replay where its reply is to be remembered; null where it need not be
   */
  RpcRequest(
      Connection connection,
      Admission admission,
      Operation operation,
      RpcProgram program,
      RpcCall call,
      Work work,
      DuplicateRequestCache.@Nullable Entry replay,
      Holding holding,
      CallArguments arguments) {
    super(admission.flow(), operation, work.bytes());
    this.connection = connection;
    this.admission = admission;
    this.program = program;
    this.call = call;
    this.work = work;
    this.replay = replay;
    this.holding = holding;
    this.arguments = arguments;
  }

  int replyRecordBytesMax() {
    return CallService.recordBytesMax(work);
  }

  long heldBytes() {
    return holding.bytes();
  }

  /** How the contents in its reply are read. */
  ReplyContents contents() {
    return replay == null ? connection.output().contents() : ReplyContents.COPIED;
  }

  /** Serves it on the thread that brought it; the reply is the caller's to send. */
  Served serveInto(NativeBuffer out, ReplyContents contents) {
    CallArguments given = arguments;
    if (given == null) {
      throw new IllegalStateException("it waits already");
    }
    Served served = serve(given, out, contents);
    given.release(pool());
    return served;
  }

  private Served serve(CallArguments given, NativeBuffer out, ReplyContents contents) {
    return connection.parts().calls().serve(program, call, work, replay, given, out, contents);
  }

  /** Its small reply is written, and needs no memory of the job's any more. */
  void answeredHere() {
    holding.end();
    connection.ended(holding);
  }

  /** What its reply holds until it is sent. */
  Holding holding() {
    return holding;
  }

  @Override
  protected void detach() {
    CallArguments given = arguments;
    connection.waits(call.xid(), admission.target());
    try {
      arguments = given == null ? null : given.owned(pool());
    } catch (OutOfMemoryError _) {
      // It keeps its place in the queue, and its client is told to come again when it is there.
      arguments = null;
    }
  }

  @Override
  protected Served serve() {
    CallArguments given = arguments;
    NativeBuffer out = given == null ? null : bufferForReply();
    if (given == null || out == null) {
      postpone();
      return Served.NOTHING;
    }
    ReplyContents contents = contents();
    Served served = serve(given, out, contents);
    arguments = null;
    given.release(pool());
    connection.waitsNoLonger(call.xid());
    connection.output().addFromWorker(out, out.bytes().position(), contents, holding);
    return served;
  }

  private @Nullable NativeBuffer bufferForReply() {
    try {
      return pool().take(replyRecordBytesMax());
    } catch (OutOfMemoryError e) {
      connection.parts().calls().log(call, e);
      return null;
    }
  }

  @Override
  protected boolean isWanted() {
    boolean isThere =
        changesSomething(operation()) ? connection.isClientThere() : connection.isThere();
    return isThere || (replay != null && replay.isAskedFor());
  }

  private static boolean changesSomething(Operation operation) {
    return switch (operation) {
      case READ,
          COMMIT,
          OPEN,
          CLOSE,
          LOOKUP,
          ACCESS,
          GETATTR,
          READLINK,
          STATFS,
          READDIR,
          GETXATTR,
          LISTXATTR ->
          false;
      default -> true;
    };
  }

  /** Tells the client to come later: it was not served, and will not be. */
  void postpone() {
    connection.postpone(program, call, work);
    abandon();
  }

  @Override
  protected void abandon() {
    CallArguments given = arguments;
    arguments = null;
    if (given != null) {
      given.release(pool());
    }
    if (replay != null) {
      connection.parts().duplicates().notServed(replay);
    }
    connection.waitsNoLonger(call.xid());
    holding.giveUp();
    connection.ended(holding);
  }

  private BufferPool pool() {
    return connection.parts().pool();
  }
}
