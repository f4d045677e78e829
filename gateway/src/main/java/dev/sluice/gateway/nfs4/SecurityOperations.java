package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** SECINFO and SECINFO_NO_NAME (RFC 8881, sections 18.29 and 18.45): everywhere the same. */
final class SecurityOperations {
  private static final int AUTH_SYS = 1;
  private static final int AUTH_NONE = 0;
  private static final int CURRENT = 0;
  private static final int PARENT = 1;

  private SecurityOperations() {}

  static void secinfo(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException {
    HandleOperations.lookup(compound, in);
    write(compound, out);
  }

  static void secinfoNoName(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException {
    switch (in.readInt()) {
      case CURRENT -> compound.handle();
      case PARENT -> HandleOperations.lookupp(compound);
      default -> throw new XdrException("expected a secinfo_style4");
    }
    write(compound, out);
  }

  /** The file is consumed, as the protocol wants it. */
  private static void write(Compound compound, XdrWriter out) {
    compound.leave();
    out.writeInt(2).writeInt(AUTH_SYS).writeInt(AUTH_NONE);
  }
}
