package dev.sluice.gateway.nfs3;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.rpc.ClientHints;
import dev.sluice.gateway.rpc.GivenContents;
import dev.sluice.gateway.rpc.ReplyContents;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** NFS version 3: finds the procedure of a call, and answers where it fails. */
public final class Nfs3Program implements RpcProgram {
  private final Exports exports;
  private final TransferSize transfers;
  private final ClientHints hints = new ClientHints(System.getLogger(Nfs3Program.class.getName()));
  private final CallInspector inspector;
  private final NameProcedures names;
  private final DirectoryProcedures directories;
  private final RepeatedCalls repeated;

  /** One that moves as much at a time as is usual. */
  public Nfs3Program(Exports exports, HandleCodec handles) {
    this(exports, handles, TransferSize.USUAL);
  }

  public Nfs3Program(Exports exports, HandleCodec handles, TransferSize transfers) {
    this.exports = exports;
    this.transfers = transfers;
    this.inspector = new CallInspector(handles, exports, transfers);
    this.names = new NameProcedures(handles);
    this.directories = new DirectoryProcedures(handles);
    this.repeated = new RepeatedCalls(handles);
  }

  @Override
  public int program() {
    return Nfs3Procedure.PROGRAM;
  }

  @Override
  public int version() {
    return Nfs3Procedure.VERSION;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return Nfs3Procedure.of(procedure) != null;
  }

  @Override
  public void otherVersionAsked(ClientAddress client, int version, int lowest, int highest) {
    boolean isAlone = highest == Nfs3Procedure.VERSION;
    hints.tell(
        client,
        "asked for NFS version "
            + Integer.toUnsignedString(version)
            + (isAlone
                ? ", and there is version 3 alone: if its mount fails, set nfs4: true here, or"
                    + " mount"
                : ", and there are versions 3 and " + highest + ": mount with -o vers=4.2, or")
            + " with -o vers=3 and, without a portmapper, vers=3,tcp,port=…,mountport=…,nolock");
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    int start = arguments.position();
    Work work = inspector.inspect(call, procedureOf(call), arguments);
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
    Nfs3Procedure procedure = procedureOf(call);
    int start = results.position();
    int argumentsAt = arguments.position();
    try (OpenCall open = new OpenCall(call, work, exports)) {
      try {
        return serve(procedure, open, arguments, given, results, contents);
      } catch (FileException refusal) {
        contents.forgetFrom(start);
        results.position(start);
        if (work.begunBefore() && RepeatedCalls.isDoneBefore(procedure, refusal.status())) {
          arguments.buffer().position(argumentsAt);
          repeated.answer(procedure, refusal.status(), open, arguments, results);
          return Served.ONE;
        }
        Results.writeFailure(procedure, refusal.status(), open, results);
        return Served.ONE;
      }
    }
  }

  @Override
  public boolean mayTakeEffect(RpcCall call, Work work, XdrReader arguments) {
    try (OpenCall open = new OpenCall(call, work, exports)) {
      return repeated.mayTakeEffect(procedureOf(call), open, arguments);
    }
  }

  @Override
  public void refuse(RpcCall call, Work work, XdrWriter results) {
    try (OpenCall open = new OpenCall(call, work, exports)) {
      Nfs3Status status = Nfs3Status.JUKEBOX;
      try {
        open.open();
      } catch (FileException refusal) {
        status = refusal.status();
      }
      Results.writeFailure(procedureOf(call), status, open, results);
    }
  }

  @Override
  public void postpone(RpcCall call, Work work, XdrWriter results) {
    try (OpenCall unopened = new OpenCall(call, work, exports)) {
      Results.writeFailure(procedureOf(call), Nfs3Status.JUKEBOX, unopened, results);
    }
  }

  private Served serve(
      Nfs3Procedure procedure,
      OpenCall call,
      XdrReader in,
      GivenContents given,
      XdrWriter out,
      ReplyContents contents)
      throws FileException {
    switch (procedure) {
      case NULL -> {}
      case GETATTR -> AttributeProcedures.getattr(call, in, out);
      case SETATTR -> AttributeProcedures.setattr(call, in, out);
      case LOOKUP -> names.lookup(call, in, out);
      case ACCESS -> AttributeProcedures.access(call, in, out);
      case READLINK -> DataProcedures.readlink(call, in, out);
      case READ -> {
        return Served.moved(DataProcedures.read(call, transfers, in, out, contents));
      }
      case WRITE -> {
        return Served.moved(DataProcedures.write(call, transfers, in, given, out));
      }
      case CREATE -> names.create(call, in, out);
      case MKDIR -> names.mkdir(call, in, out);
      case SYMLINK -> names.symlink(call, in, out);
      case MKNOD -> names.mknod(call, in, out);
      case REMOVE -> names.remove(call, in, out);
      case RMDIR -> names.rmdir(call, in, out);
      case RENAME -> names.rename(call, in, out);
      case LINK -> names.link(call, in, out);
      case READDIR -> {
        return directories.readdir(call, in, out);
      }
      case READDIRPLUS -> {
        return directories.readdirplus(call, in, out);
      }
      case FSSTAT -> FileSystemProcedures.fsstat(call, in, out);
      case FSINFO -> FileSystemProcedures.fsinfo(call, transfers, in, out);
      case PATHCONF -> FileSystemProcedures.pathconf(call, in, out);
      case COMMIT -> DataProcedures.commit(call, in, out);
    }
    return Served.ONE;
  }

  private static Nfs3Procedure procedureOf(RpcCall call) {
    Nfs3Procedure procedure = Nfs3Procedure.of(call.procedure());
    if (procedure == null) {
      throw new XdrException("NFSv3 has no procedure " + call.procedure());
    }
    return procedure;
  }
}
