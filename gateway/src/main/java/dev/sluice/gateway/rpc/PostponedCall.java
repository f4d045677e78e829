package dev.sluice.gateway.rpc;

/**
 * A call that was not taken on.
 *
 * @param bytes what it would have held
 */
record PostponedCall(Connection connection, RpcProgram program, RpcCall head, Work work, long bytes)
    implements Postponements.Call {
  @Override
  public boolean isThere() {
    return connection.isThere();
  }

  @Override
  public void tell() {
    connection.postpone(program, head, work);
  }
}
