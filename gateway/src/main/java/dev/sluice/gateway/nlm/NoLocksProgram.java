package dev.sluice.gateway.nlm;

import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.util.List;

/**
 * A lock manager that has no locks to give. A client that mounted without {@code nolock} asks for
 * one at the first lock of a program, and goes on asking for ever while nobody answers; told that
 * there are none, it tells its program at once (ENOLCK). What is given back was never held, and
 * giving it back succeeds.
 *
 * <p>What comes as a message, with the answer as a call in the other direction, is not answered: no
 * client of today sends it.
 */
public final class NoLocksProgram implements RpcProgram {
  /** The number of the NLM program. */
  public static final int PROGRAM = 100_021;

  /** The versions that clients of NFS 2 and 3 speak; 2 was never more than a draft. */
  public static final List<Integer> VERSIONS = List.of(1, 3, 4);

  /** The longest cookie that the protocol allows. */
  static final int COOKIE_BYTES_MAX = 1_024;

  static final int GRANTED = 0;
  static final int DENIED_NO_LOCKS = 2;

  /** The cookie, the status and, for share modes, a sequence number. */
  private static final int REPLY_BYTES_MAX = 4 + COOKIE_BYTES_MAX + 4 + 4;

  private final int version;

  private NoLocksProgram(int version) {
    this.version = version;
  }

  /** One for each version. */
  public static List<RpcProgram> allVersions() {
    return VERSIONS.stream().<RpcProgram>map(NoLocksProgram::new).toList();
  }

  @Override
  public int program() {
    return PROGRAM;
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    NlmProcedure known = NlmProcedure.of(procedure);
    return known != null && known.isIn(version);
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    return new Work(null, null, 0, REPLY_BYTES_MAX, false);
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    switch (procedureOf(call)) {
      case NULL, FREE_ALL -> {}
      case TEST, LOCK, NM_LOCK -> answer(arguments, results, DENIED_NO_LOCKS);
      case CANCEL, UNLOCK, GRANTED -> answer(arguments, results, GRANTED);
      case SHARE -> answer(arguments, results, DENIED_NO_LOCKS).writeInt(0);
      case UNSHARE -> answer(arguments, results, GRANTED).writeInt(0);
    }
    return Served.ONE;
  }

  /** All arguments begin with a cookie, and all results with the same one. */
  private static XdrWriter answer(XdrReader arguments, XdrWriter results, int status) {
    return results.writeOpaque(arguments.readOpaque(COOKIE_BYTES_MAX)).writeInt(status);
  }

  private static NlmProcedure procedureOf(RpcCall call) {
    NlmProcedure procedure = NlmProcedure.of(call.procedure());
    if (procedure == null) {
      throw new XdrException("NLM has no procedure " + call.procedure());
    }
    return procedure;
  }
}
