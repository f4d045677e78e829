package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
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

  /** Why there is no program for a call; the program whose version it is not hears of it. */
  ReplyHeader refusal(CallHeader call, ClientAddress client) {
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
    if (low > high) {
      return new ReplyHeader.ProgramUnavailable(call.xid());
    }
    for (RpcProgram program : programs) {
      if (program.program() == call.program()) {
        program.otherVersionAsked(client, call.version(), low, high);
      }
    }
    return new ReplyHeader.ProgramMismatch(call.xid(), low, high);
  }
}
