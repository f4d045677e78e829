package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** GETATTR, SETATTR and ACCESS (RFC 1813, sections 3.3.1, 3.3.2 and 3.3.4). */
final class AttributeProcedures {
  private AttributeProcedures() {}

  static void getattr(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    FileNode file = call.open();
    Attributes attributes = call.tree().attributes(file);
    Results.writeOk(out);
    Results.writeAttributes(attributes, out);
  }

  static void setattr(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    AttributeChange change = Arguments.readChange(in);
    Timestamp guard = Arguments.readGuard(in);
    FileNode file = call.openForChange();
    Arguments.check(change);
    call.beginChange(file);
    if (guard != null && !isGuardedBy(guard, call.tree().attributes(file).changed())) {
      throw new FileException(Nfs3Status.NOT_SYNC, "changed since the client looked");
    }
    call.tree().setAttributes(file, change, call.caller());
    Results.writeOk(out);
    Results.writeWeakConsistency(call, file, true, out);
  }

  static void access(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    int asked = in.readInt() & AccessRights.ALL;
    FileNode file = call.open();
    int askable = call.isReadOnly() ? asked & ~AccessRights.CHANGES : asked;
    int granted = call.tree().access(file, askable, call.caller()) & askable;
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
    out.writeInt(granted);
  }

  /** Compared as the client saw it: on the wire seconds have 32 bits. */
  private static boolean isGuardedBy(Timestamp guard, Timestamp changed) {
    return (int) guard.seconds() == (int) changed.seconds() && guard.nanos() == changed.nanos();
  }
}
