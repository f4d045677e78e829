package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** A program of procedures that calls are made to. Safe for use by many threads. */
public interface RpcProgram {
  int program();

  int version();

  boolean hasProcedure(int procedure);

  /** A client asked for a version of the program that is not here, and is told so. */
  default void otherVersionAsked(ClientAddress client, int version) {}

  /**
   * What can be told of a call before it is served, read from its arguments without moving
   * anything.
   *
   * @param arguments at the first argument
   */
  Work inspect(RpcCall call, XdrReader arguments);

  /**
   * Serves a call: reads the arguments and writes the results, nothing more. A call whose arguments
   * cannot be read ends with {@link dev.sluice.nfs.xdr.XdrException} and no effect.
   *
   * @param work what {@link #inspect} said
   * @param results has room for {@link Work#replyBytesMax}
   * @return how many bytes of file contents were moved
   */
  int serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results);
}
