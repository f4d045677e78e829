package dev.sluice.gateway.rpc;

import dev.sluice.nfs.rpc.CallHeader;
import dev.sluice.nfs.rpc.ReplyHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The programs that calls can be made to. */
final class Programs {
  private final RpcProgram[] programs;

  Programs(List<RpcProgram> programs) {
    this.programs = programs.toArray(RpcProgram[]::new);
  }

  /** The program that has the procedure; null when there is none, which {@link #refusal} tells. */
  @Nullable RpcProgram find(CallHeader call) {
    for (RpcProgram program : programs) {
      if (program.program() == call.program()
          && program.version() == call.version()
          && program.hasProcedure(call.procedure())) {
        return program;
      }
    }
    return null;
  }

  /** Why there is no program for a call. */
  ReplyHeader refusal(CallHeader call) {
    int low = Integer.MAX_VALUE;
    int high = Integer.MIN_VALUE;
    boolean version = false;
    for (RpcProgram program : programs) {
      if (program.program() == call.program()) {
        low = Math.min(low, program.version());
        high = Math.max(high, program.version());
        version |= program.version() == call.version();
      }
    }
    if (version) {
      return new ReplyHeader.ProcedureUnavailable(call.xid());
    }
    return low > high
        ? new ReplyHeader.ProgramUnavailable(call.xid())
        : new ReplyHeader.ProgramMismatch(call.xid(), low, high);
  }
}
