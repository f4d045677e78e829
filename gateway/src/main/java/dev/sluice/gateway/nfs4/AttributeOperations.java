package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** GETATTR, SETATTR, ACCESS, VERIFY and NVERIFY (RFC 8881, sections 18.1, 18.7, 18.30 and more). */
final class AttributeOperations {
  /** What can be asked for of a directory above the exports. */
  private static final int PSEUDO_RIGHTS = AccessRights.READ | AccessRights.LOOKUP;

  /** The minor version since which there are rights to extended attributes (RFC 8276). */
  private static final int FIRST_WITH_XATTRS = 2;

  private AttributeOperations() {}

  static void getattr(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException {
    AttributeSet asked = AttributeSet.read(in);
    AttributeCodec.requireToBeTold(asked);
    compound.parts().attributes().write(asked, compound.subject(), out);
  }

  static void access(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    int known =
        compound.minorVersion() < FIRST_WITH_XATTRS
            ? AccessRights.ALL
            : AccessRights.ALL | AccessRights.XATTRS;
    int asked = in.readInt() & known;
    int granted;
    if (compound.pseudoPath() != null) {
      granted = asked & PSEUDO_RIGHTS;
    } else {
      int changes = AccessRights.CHANGES | AccessRights.XATTR_WRITE;
      int askable = compound.export().readOnly() ? asked & ~changes : asked;
      granted = compound.tree().access(compound.node(), askable, compound.caller()) & askable;
    }
    out.writeInt(asked).writeInt(granted);
  }

  static void setattr(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException, StateException {
    StateId state = StateId.read(in);
    AttributeCodec.Change change = compound.parts().attributes().readChange(in);
    if (change.attributes().has(Nfs4Attribute.MODE_UMASK)) {
      throw new Refusal(Nfs4Status.INVAL, "a umask is for what is made");
    }
    FileNode file = compound.nodeForChange();
    if (change.change().size() != null) {
      DataOperations.regular(compound);
      compound
          .parts()
          .states()
          .checkAccess(
              compound.client(),
              compound.state(state),
              compound.handle(),
              true,
              compound.parts().nowNanos());
    }
    try (var _ = compound.tree().beginChange(file, null, compound.call().client())) {
      compound.tree().setAttributes(file, change.change(), compound.caller());
    }
    change.attributes().write(out);
  }

  /** VERIFY and NVERIFY: whether the attributes are these. */
  static void verify(Compound compound, boolean isToBeSame, XdrReader in, XdrWriter out)
      throws Refusal, FileException {
    AttributeSet given = AttributeSet.read(in);
    byte[] values = in.readOpaque(Nfs4Sizes.ATTRIBUTES_BYTES_MAX);
    if (!given.without(AttributeCodec.SUPPORTED).isEmpty()) {
      throw new Refusal(Nfs4Status.ATTRNOTSUPP, "attributes that are not known");
    }
    AttributeCodec.requireToBeTold(given);
    if (given.has(Nfs4Attribute.RDATTR_ERROR)) {
      throw new Refusal(Nfs4Status.INVAL, "an error is nothing to compare");
    }
    int start = out.position();
    compound.parts().attributes().write(given, compound.subject(), out);
    ByteBuffer written = out.buffer().duplicate().limit(out.position()).position(start);
    out.position(start);
    XdrReader told = new XdrReader(written);
    AttributeSet.read(told);
    boolean isSame = Arrays.equals(told.readOpaque(Nfs4Sizes.ATTRIBUTES_BYTES_MAX), values);
    if (isSame != isToBeSame) {
      throw new Refusal(isToBeSame ? Nfs4Status.NOT_SAME : Nfs4Status.SAME, "compared");
    }
  }
}
