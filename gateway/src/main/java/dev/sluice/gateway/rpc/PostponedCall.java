package dev.sluice.gateway.rpc;

import dev.sluice.core.model.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A call that was not taken on. Until it is told to come later it keeps its slot, where it has one.
 *
 * @param bytes what it would have held
 * @param slots of which it keeps one; null where its client can have any number of calls under way
 */
record PostponedCall(
    Connection connection,
    RpcProgram program,
    RpcCall head,
    Work work,
    JobId job,
    long bytes,
    @Nullable Slots slots)
    implements Postponements.Call {
  @Override
  public boolean isThere() {
    return connection.isThere();
  }

  @Override
  public void tell() {
    drop();
    connection.postpone(program, head, work);
  }

  @Override
  public void drop() {
    if (slots != null) {
      slots.release(job);
    }
  }
}
