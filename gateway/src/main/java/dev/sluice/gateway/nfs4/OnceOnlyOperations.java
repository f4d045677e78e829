package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.ExtendedAttributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileType;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * Operations that are refused when they are done a second time, and what can be told of one that a
 * server began which then died. It is served as if it had not been done; if it finds just what it
 * would have left behind it was done, because it was begun only where it could take effect.
 *
 * <p>Clients send one of them in a COMPOUND. Of several, those before the one that was begun last
 * were done; what one of them made and the next took away again is not found, and the client is
 * told so.
 *
 * <p>OPEN is none of them: an exclusive one tells itself by its verifier from those of others, and
 * any other may be done again.
 */
final class OnceOnlyOperations {
  /** Of SETXATTR: there must be no such attribute. */
  private static final int CREATE_ONLY = 1;

  private OnceOnlyOperations() {}

  static void serve(Compound compound, Nfs4Operation operation, XdrReader in, XdrWriter out)
      throws Refusal, FileException {
    switch (operation) {
      case CREATE -> NameOperations.create(compound, in, out);
      case REMOVE -> NameOperations.remove(compound, in, out);
      case RENAME -> NameOperations.rename(compound, in, out);
      case LINK -> NameOperations.link(compound, in, out);
      case SETXATTR -> ExtendedAttributeOperations.set(compound, in, out);
      case REMOVEXATTR -> ExtendedAttributeOperations.remove(compound, in, out);
      default -> throw new IllegalArgumentException(operation + " may be done again");
    }
  }

  /**
   * Whether what is to be made is not there, and what is to be taken away is. One for which this is
   * false does nothing that would be refused a second time.
   *
   * @param in at the operation's arguments; left anywhere
   */
  static boolean mayTakeEffect(Compound compound, Nfs4Operation operation, XdrReader in) {
    try {
      return switch (operation) {
        case CREATE -> {
          skipType(in);
          yield !isThere(compound, HandleOperations.directory(compound), Names4.read(in));
        }
        case LINK -> !isThere(compound, HandleOperations.directory(compound), Names4.read(in));
        case REMOVE -> isThere(compound, HandleOperations.directory(compound), Names4.read(in));
        case RENAME -> {
          try (FileNode from = compound.openSaved()) {
            yield isThere(compound, from, Names4.read(in));
          }
        }
        case SETXATTR -> in.readInt() == CREATE_ONLY && !hasAttribute(compound, in);
        case REMOVEXATTR -> hasAttribute(compound, in);
        default -> throw new IllegalArgumentException(operation + " may be done again");
      };
    } catch (Refusal | FileException refused) {
      // And will be refused when it is served.
      return false;
    }
  }

  private static void skipType(XdrReader in) {
    int type = in.readInt();
    if (type == FileType.SYMBOLIC_LINK.code()) {
      in.skipOpaque(in.remaining());
    } else if (type == FileType.BLOCK_DEVICE.code() || type == FileType.CHARACTER_DEVICE.code()) {
      in.skip(2 * Integer.BYTES);
    }
  }

  private static boolean isThere(Compound compound, FileNode directory, byte[] name)
      throws Refusal, FileException {
    try {
      compound.tree().lookup(directory, Names4.check(name), compound.caller());
      return true;
    } catch (FileException e) {
      if (e.status() == Nfs3Status.NOENT) {
        return false;
      }
      throw e;
    }
  }

  private static boolean hasAttribute(Compound compound, XdrReader in)
      throws Refusal, FileException {
    byte[] name = ExtendedAttributeOperations.readName(in);
    ExtendedAttributes attributes = compound.tree().extendedAttributes();
    return attributes.get(compound.node(), name, compound.caller()) != null;
  }

  /** Whether an operation is refused so when it was done before. */
  static boolean isDoneBefore(Nfs4Operation operation, Nfs4Status status) {
    return switch (operation) {
      case CREATE, LINK, SETXATTR -> status == Nfs4Status.EXIST;
      case REMOVE, RENAME -> status == Nfs4Status.NOENT;
      case REMOVEXATTR -> status == Nfs4Status.NOXATTR;
      default -> false;
    };
  }

  /**
   * Answers an operation that was done before as if it had been done now.
   *
   * @param in at the operation's arguments
   */
  static void answerDone(Compound compound, Nfs4Operation operation, XdrReader in, XdrWriter out)
      throws Refusal, FileException {
    FileNode current = compound.node();
    ChangeInfo info = nothingMore(compound, current);
    switch (operation) {
      case CREATE -> {
        skipType(in);
        byte[] name = Names4.read(in);
        AttributeSet given = compound.parts().attributes().readChange(in).attributes();
        Child made = compound.tree().lookup(current, Names4.check(name), compound.caller());
        info.write(out);
        given.write(out);
        compound.goTo(made.handle());
      }
      case RENAME -> {
        skipNames(in, 2);
        try (FileNode from = compound.openSaved()) {
          nothingMore(compound, from).write(out);
        }
        info.write(out);
      }
      case SETXATTR -> {
        in.skip(Integer.BYTES);
        skipNames(in, 2);
        info.write(out);
      }
      default -> {
        skipNames(in, 1);
        info.write(out);
      }
    }
  }

  private static void skipNames(XdrReader in, int count) {
    for (int i = 0; i < count; i++) {
      in.skipOpaque(in.remaining());
    }
  }

  /** What a directory is; what it was before the first time, nobody knows any more. */
  private static ChangeInfo nothingMore(Compound compound, FileNode directory)
      throws Refusal, FileException {
    FileTree tree = compound.tree();
    return ChangeInfo.unsure(tree.attributes(directory));
  }
}
