package dev.sluice.gateway.nfsacl;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.AccessList;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.nfs3.CallInspector;
import dev.sluice.gateway.nfs3.OpenCall;
import dev.sluice.gateway.nfs3.Results;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.RpcProgram;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.gateway.target.Served;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfsacl.NfsAclParts;
import dev.sluice.nfs.nfsacl.NfsAclProcedure;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * NFSACL version 3. What it costs and who waits for it is as with the attributes of NFS version 3:
 * a list that is read is a GETATTR, one that is set a SETATTR.
 */
public final class NfsAclProgram implements RpcProgram {
  private static final int STATUS_BYTES = 4;
  private static final int SET_REPLY_BYTES_MAX = STATUS_BYTES + Nfs3Sizes.POST_OP_ATTRIBUTES_BYTES;
  private static final int GET_REPLY_BYTES_MAX =
      SET_REPLY_BYTES_MAX + Integer.BYTES + 2 * AccessListCodec.BYTES_MAX;

  private static final Work NOTHING = new Work(null, null, 0, 0, false);

  private final Exports exports;
  private final CallInspector inspector;

  public NfsAclProgram(Exports exports, HandleCodec handles) {
    this.exports = exports;
    this.inspector = new CallInspector(handles, exports, TransferSize.USUAL);
  }

  @Override
  public int program() {
    return NfsAclProcedure.PROGRAM;
  }

  @Override
  public int version() {
    return NfsAclProcedure.VERSION;
  }

  @Override
  public boolean hasProcedure(int procedure) {
    return NfsAclProcedure.of(procedure) != null;
  }

  @Override
  public Work inspect(RpcCall call, XdrReader arguments) {
    NfsAclProcedure procedure = procedureOf(call);
    Operation operation = procedure.operation();
    if (operation == null) {
      return NOTHING;
    }
    boolean sets = procedure == NfsAclProcedure.SETACL;
    int replyBytesMax = sets ? SET_REPLY_BYTES_MAX : GET_REPLY_BYTES_MAX;
    int start = arguments.position();
    Work work = inspector.inspect(call, operation, replyBytesMax, sets, arguments);
    arguments.buffer().position(start);
    return work;
  }

  @Override
  public Served serve(RpcCall call, Work work, XdrReader arguments, XdrWriter results) {
    int start = results.position();
    try (OpenCall open = new OpenCall(call, work, exports)) {
      try {
        switch (procedureOf(call)) {
          case NULL -> {}
          case GETACL -> get(open, arguments, results);
          case SETACL -> set(open, arguments, results);
        }
      } catch (FileException refusal) {
        results.position(start);
        writeFailure(refusal.status(), open, results);
      }
    }
    return Served.ONE;
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
      writeFailure(status, open, results);
    }
  }

  @Override
  public void postpone(RpcCall call, Work work, XdrWriter results) {
    try (OpenCall unopened = new OpenCall(call, work, exports)) {
      writeFailure(Nfs3Status.JUKEBOX, unopened, results);
    }
  }

  private static void get(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    in.skipOpaque(Nfs3Procedure.HANDLE_BYTES_MAX);
    int asked = in.readInt();
    FileNode file = call.open();
    checkParts(asked);
    AccessList access =
        has(asked, NfsAclParts.ACCESS | NfsAclParts.ACCESS_COUNT)
            ? call.tree().accessList(file)
            : AccessList.NONE;
    AccessList byDefault =
        has(asked, NfsAclParts.DEFAULT | NfsAclParts.DEFAULT_COUNT)
            ? call.tree().defaultAccessList(file)
            : AccessList.NONE;
    Attributes attributes = call.tree().attributes(file);
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
    out.writeInt(asked);
    AccessListCodec.write(access, has(asked, NfsAclParts.ACCESS), 0, attributes, out);
    AccessListCodec.write(
        byDefault, has(asked, NfsAclParts.DEFAULT), NfsAclParts.DEFAULT_TAG, attributes, out);
  }

  private static void set(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    in.skipOpaque(Nfs3Procedure.HANDLE_BYTES_MAX);
    int brought = in.readInt();
    AccessList access = AccessListCodec.read(in);
    AccessList byDefault = AccessListCodec.read(in);
    FileNode file = call.openForChange();
    checkParts(brought);
    call.beginChange(file);
    call.tree()
        .setAccessLists(
            file,
            has(brought, NfsAclParts.ACCESS) ? access : null,
            has(brought, NfsAclParts.DEFAULT) ? byDefault : null,
            call.caller());
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
  }

  private static void checkParts(int parts) throws FileException {
    if ((parts & ~NfsAclParts.ALL) != 0) {
      throw new FileException(Nfs3Status.INVAL, "there are no such parts: " + parts);
    }
  }

  private static boolean has(int parts, int any) {
    return (parts & any) != 0;
  }

  private static void writeFailure(Nfs3Status status, OpenCall call, XdrWriter out) {
    out.writeInt(status.code());
    Results.writePostOp(call, call.first(), out);
  }

  private static NfsAclProcedure procedureOf(RpcCall call) {
    NfsAclProcedure procedure = NfsAclProcedure.of(call.procedure());
    if (procedure == null) {
      throw new XdrException("NFSACL has no procedure " + call.procedure());
    }
    return procedure;
  }
}
