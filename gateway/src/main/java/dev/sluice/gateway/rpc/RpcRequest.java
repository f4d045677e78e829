package dev.sluice.gateway.rpc;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.memory.NativeBuffer;
import dev.sluice.gateway.target.TargetRequest;
import org.jspecify.annotations.Nullable;

/** A call that waits for its turn at a target, with all that it takes to serve it and reply. */
final class RpcRequest extends TargetRequest {
  private final Connection connection;
  private final PendingCall call;

  /** Where the arguments stand, between its position and its limit. */
  private NativeBuffer arguments;

  /** Whether the buffer is this request's alone, or the connection's input. */
  private boolean ownsArguments;

  RpcRequest(
      Flow flow,
      Operation operation,
      Connection connection,
      PendingCall call,
      NativeBuffer arguments,
      boolean ownsArguments) {
    super(flow, operation, call.work().bytes());
    this.connection = connection;
    this.call = call;
    this.arguments = arguments;
    this.ownsArguments = ownsArguments;
  }

  /**
   * A call on its way.
   *
   * @param replay where its reply is to be remembered; null where it need not be
   * @param heldBytes what its connection's account holds for it until the reply is sent
   */
  record PendingCall(
      RpcProgram program,
      RpcCall head,
      Work work,
      DuplicateRequestCache.@Nullable Entry replay,
      long heldBytes) {}

  /** Serves it on the thread that brought it. */
  int serveHere() {
    int moved = connection.serveHere(call, arguments);
    if (ownsArguments) {
      connection.giveBack(arguments);
    }
    return moved;
  }

  @Override
  protected void detach() {
    if (!ownsArguments) {
      arguments = connection.copyOf(arguments);
      ownsArguments = true;
    }
  }

  @Override
  protected int serve() {
    return connection.serveForWorker(call, arguments);
  }

  @Override
  protected void abandon() {
    connection.abandon(call, ownsArguments ? arguments : null);
  }
}
