package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileType;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * CREATE, REMOVE, RENAME and LINK (RFC 8881, sections 18.4, 18.25, 18.26 and 18.9); regular files
 * are made by OPEN.
 */
final class NameOperations {
  private NameOperations() {}

  static void create(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    int type = in.readInt();
    byte[] content = new byte[0];
    int major = 0;
    int minor = 0;
    if (type == FileType.SYMBOLIC_LINK.code()) {
      content = in.readOpaque(in.remaining());
    } else if (type == FileType.BLOCK_DEVICE.code() || type == FileType.CHARACTER_DEVICE.code()) {
      major = in.readInt();
      minor = in.readInt();
    }
    byte[] name = Names4.read(in);
    AttributeCodec.Change attributes = compound.parts().attributes().readChange(in);
    FileNode directory = directoryForChange(compound);
    Names4.check(name);
    FileTree tree = compound.tree();
    Caller caller = compound.caller();
    Child made;
    ChangeInfo info;
    try (FileTree.Change change = tree.beginChange(directory, null, compound.call().client())) {
      made =
          switch (typeOf(type)) {
            case DIRECTORY -> tree.makeDirectory(directory, name, attributes.change(), caller);
            case SYMBOLIC_LINK ->
                tree.makeSymbolicLink(
                    directory, name, checkLink(content), attributes.change(), caller);
            case FileType special ->
                tree.makeNode(directory, name, special, major, minor, attributes.change(), caller);
          };
      info = ChangeInfo.of(change, directory);
    }
    info.write(out);
    attributes.attributes().write(out);
    compound.goTo(made.handle());
  }

  private static FileType typeOf(int code) throws Refusal {
    for (FileType type : FileType.values()) {
      if (type.code() == code && type != FileType.REGULAR) {
        return type;
      }
    }
    throw new Refusal(Nfs4Status.BADTYPE, "no type of file that CREATE makes: " + code);
  }

  private static byte[] checkLink(byte[] content) throws Refusal {
    if (content.length == 0) {
      throw new Refusal(Nfs4Status.INVAL, "a link with no content");
    }
    if (content.length > Nfs3Sizes.LINK_BYTES_MAX) {
      throw new Refusal(Nfs4Status.NAMETOOLONG, "a link's content of " + content.length + " bytes");
    }
    return content;
  }

  /** REMOVE: of a file or a directory; which of them it is, is found out here. */
  static void remove(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    byte[] name = Names4.read(in);
    FileNode directory = directoryForChange(compound);
    Names4.check(name);
    FileTree tree = compound.tree();
    Caller caller = compound.caller();
    ChangeInfo info;
    try (FileTree.Change change = tree.beginChange(directory, null, compound.call().client())) {
      Child child = tree.lookup(directory, name, caller);
      if (child.attributes().type() == FileType.DIRECTORY) {
        tree.removeDirectory(directory, name, caller);
      } else {
        tree.remove(directory, name, caller);
      }
      info = ChangeInfo.of(change, directory);
    }
    info.write(out);
  }

  static void rename(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    byte[] fromName = Names4.read(in);
    byte[] toName = Names4.read(in);
    compound.savedHandle();
    FileNode to = directoryForChange(compound);
    FileTree tree = compound.tree();
    Caller caller = compound.caller();
    try (FileNode from = compound.openSaved()) {
      HandleOperations.requireDirectory(tree.typeOf(from));
      Names4.check(fromName);
      Names4.check(toName);
      ChangeInfo fromInfo;
      ChangeInfo toInfo;
      try (FileTree.Change change = tree.beginChange(from, to, compound.call().client())) {
        tree.rename(from, fromName, to, toName, caller);
        fromInfo = ChangeInfo.of(change, from);
        toInfo = ChangeInfo.of(change, to);
      }
      fromInfo.write(out);
      toInfo.write(out);
    }
  }

  static void link(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    byte[] name = Names4.read(in);
    compound.savedHandle();
    FileNode directory = directoryForChange(compound);
    FileTree tree = compound.tree();
    Caller caller = compound.caller();
    try (FileNode file = compound.openSaved()) {
      Names4.check(name);
      if (tree.typeOf(file) == FileType.DIRECTORY) {
        throw new Refusal(Nfs4Status.ISDIR, "a directory has one name");
      }
      ChangeInfo info;
      try (FileTree.Change change = tree.beginChange(directory, null, compound.call().client())) {
        tree.link(file, directory, name, caller);
        info = ChangeInfo.of(change, directory);
      }
      info.write(out);
    }
  }

  private static FileNode directoryForChange(Compound compound) throws Refusal, FileException {
    compound.nodeForChange();
    return HandleOperations.directory(compound);
  }
}
