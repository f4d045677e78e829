package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import org.jspecify.annotations.Nullable;

/** A program of procedures that calls are made to. Safe for use by many threads. */
public interface RpcProgram {
  int program();

  int version();

  boolean hasProcedure(int procedure);

  /**
   * Of which slots a call has one, where the protocol bounds how many calls a client can have under
   * way; null where it does not.
   *
   * @param work what {@link #inspect} said of the call
   */
  default @Nullable Slots slots(Work work) {
    return null;
  }

  /**
   * A client asked for a version of the program that is not here, and is told so.
   *
   * @param lowest the lowest version that is here
   * @param highest the highest
   */
  default void otherVersionAsked(ClientAddress client, int version, int lowest, int highest) {}

  /**
   * What can be told of a call before it is served, read from the first of its arguments without
   * moving anything. Of a large call no more than {@value RecordReader#HEAD_BYTES} bytes are there.
   *
   * @param arguments at the first argument
   */
  Work inspect(RpcCall call, XdrReader arguments);

  /**
   * Serves a call: reads the arguments and writes the results, nothing more. A call whose arguments
   * cannot be read ends with {@link XdrException} and no effect.
   *
   * @param work what {@link #inspect} said
   * @param results has room for {@link Work#replyBytesMax}
   */
  Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results);

  /**
   * The same, for programs whose arguments or results have contents of files in them.
   *
   * @param given by which those among the arguments are written
   * @param contents by which those among the results are read
   */
  default Served serve(
      RpcCall call,
      Work work,
      XdrReader arguments,
      GivenContents given,
      XdrWriter results,
      ReplyContents contents) {
    return serve(call, work, arguments, results);
  }

  /**
   * Whether a call that must not be done twice finds things so that it may take effect. One that
   * does not is refused, and refused again by whoever serves next.
   *
   * @param arguments at the first argument; may be left anywhere
   */
  default boolean mayTakeEffect(RpcCall call, Work work, XdrReader arguments) {
    return true;
  }

  /**
   * Answers a large call that is refused whatever its further arguments are, which nobody has read:
   * its work has no operation. Where there are no such calls, there is nothing to answer.
   *
   * @param results has room for {@link Work#replyBytesMax}
   */
  default void refuse(RpcCall call, Work work, XdrWriter results) {
    throw new XdrException("no call of this program is so large");
  }

  /**
   * Tells the sender of a call to ask again later; nothing has been done.
   *
   * @param results has room for {@link Work#replyBytesMax}
   */
  default void postpone(RpcCall call, Work work, XdrWriter results) {
    throw new XdrException("calls of this program do not wait");
  }
}
