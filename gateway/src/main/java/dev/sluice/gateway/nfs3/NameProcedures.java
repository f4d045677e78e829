package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.nfs.nfs3.CreateMode;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * LOOKUP, and all that makes, moves or removes a name: CREATE, MKDIR, SYMLINK, MKNOD, REMOVE,
 * RMDIR, RENAME and LINK (RFC 1813, sections 3.3.3 and 3.3.8 to 3.3.15).
 */
final class NameProcedures {
  private final HandleCodec handles;

  NameProcedures(HandleCodec handles) {
    this.handles = handles;
  }

  void lookup(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    FileNode directory = call.open();
    Child found = call.tree().lookup(directory, FileName.check(name), call.caller());
    Results.writeOk(out);
    handles.write(found.handle(), out);
    Results.writePostOp(found.attributes(), out);
    Results.writePostOp(call, directory, out);
  }

  void create(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    Creation how = readCreation(in);
    FileNode directory = call.openForChange();
    FileName.checkNew(name);
    checkAttributes(how);
    call.beginChange(directory);
    Child made = call.tree().create(directory, name, how, call.caller());
    Results.writeMade(call, made, handles, out);
  }

  void mkdir(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    AttributeChange attributes = Arguments.readChange(in);
    FileNode directory = call.openForChange();
    FileName.checkNew(name);
    Arguments.check(attributes);
    call.beginChange(directory);
    Child made = call.tree().makeDirectory(directory, name, attributes, call.caller());
    Results.writeMade(call, made, handles, out);
  }

  void symlink(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    AttributeChange attributes = Arguments.readChange(in);
    byte[] content = Arguments.readName(in);
    FileNode directory = call.openForChange();
    FileName.checkNew(name);
    Arguments.check(attributes);
    Arguments.checkLink(content);
    call.beginChange(directory);
    Child made = call.tree().makeSymbolicLink(directory, name, content, attributes, call.caller());
    Results.writeMade(call, made, handles, out);
  }

  void mknod(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    FileType type = Arguments.readType(in);
    AttributeChange attributes = AttributeChange.NOTHING;
    int major = 0;
    int minor = 0;
    boolean isSpecial = false;
    switch (type) {
      case SOCKET, FIFO -> {
        isSpecial = true;
        attributes = Arguments.readChange(in);
      }
      case BLOCK_DEVICE, CHARACTER_DEVICE -> {
        isSpecial = true;
        attributes = Arguments.readChange(in);
        major = in.readInt();
        minor = in.readInt();
      }
      case REGULAR, DIRECTORY, SYMBOLIC_LINK -> {}
    }
    FileNode directory = call.openForChange();
    if (!isSpecial) {
      throw new FileException(Nfs3Status.BADTYPE, type + " has a procedure of its own");
    }
    FileName.checkNew(name);
    Arguments.check(attributes);
    call.beginChange(directory);
    Child made =
        call.tree().makeNode(directory, name, type, major, minor, attributes, call.caller());
    Results.writeMade(call, made, handles, out);
  }

  void remove(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    FileNode directory = call.openForChange();
    FileName.checkRemovable(name);
    call.beginChange(directory);
    call.tree().remove(directory, name, call.caller());
    Results.writeOk(out);
    Results.writeWeakConsistency(call, directory, true, out);
  }

  void rmdir(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] name = Arguments.readName(in);
    FileNode directory = call.openForChange();
    FileName.checkRemovable(name);
    call.beginChange(directory);
    call.tree().removeDirectory(directory, name, call.caller());
    Results.writeOk(out);
    Results.writeWeakConsistency(call, directory, true, out);
  }

  void rename(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    byte[] fromName = Arguments.readName(in);
    FileHandle toHandle = handles.read(in);
    byte[] toName = Arguments.readName(in);
    FileNode from = call.openForChange();
    FileNode to = call.openSecond(toHandle);
    FileName.checkRemovable(fromName);
    FileName.checkRemovable(toName);
    call.beginChange(from, to);
    call.tree().rename(from, fromName, to, toName, call.caller());
    Results.writeOk(out);
    Results.writeWeakConsistency(call, from, true, out);
    Results.writeWeakConsistency(call, to, true, out);
  }

  void link(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    FileHandle directoryHandle = handles.read(in);
    byte[] name = Arguments.readName(in);
    FileNode file = call.openForChange();
    FileNode directory = call.openSecond(directoryHandle);
    FileName.checkNew(name);
    call.beginChange(directory);
    call.tree().link(file, directory, name, call.caller());
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
    Results.writeWeakConsistency(call, directory, true, out);
  }

  /** A createhow3. */
  private static Creation readCreation(XdrReader in) {
    return switch (CreateMode.read(in)) {
      case UNCHECKED -> new Creation.Unchecked(Arguments.readChange(in));
      case GUARDED -> new Creation.Guarded(Arguments.readChange(in));
      case EXCLUSIVE -> new Creation.Exclusive(in.readLong());
    };
  }

  private static void checkAttributes(Creation how) throws FileException {
    switch (how) {
      case Creation.Unchecked(AttributeChange attributes) -> Arguments.check(attributes);
      case Creation.Guarded(AttributeChange attributes) -> Arguments.check(attributes);
      case Creation.Exclusive _ -> {}
    }
  }
}
