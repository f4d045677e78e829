package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.nfs.xdr.XdrWriter;

/** What a directory was and is after a change, as clients compare it (change_info4). */
record ChangeInfo(boolean isAtomic, long before, long after) {
  static final int BYTES = Integer.BYTES + 2 * Long.BYTES;

  /** Of a change that is under way and was done. */
  static ChangeInfo of(FileTree.Change change, FileNode directory) throws FileException {
    FileTree.Told told = change.tell(directory, true);
    Attributes before = told.before();
    long after = AttributeCodec.changeOf(told.after());
    return before == null
        ? new ChangeInfo(false, 0, after)
        : new ChangeInfo(true, AttributeCodec.changeOf(before), after);
  }

  /** Of a directory in which nothing was changed. */
  static ChangeInfo unchanged(Attributes directory) {
    long change = AttributeCodec.changeOf(directory);
    return new ChangeInfo(true, change, change);
  }

  /** Of a directory that was changed at a time that nobody knows. */
  static ChangeInfo unsure(Attributes directory) {
    return new ChangeInfo(false, 0, AttributeCodec.changeOf(directory));
  }

  void write(XdrWriter out) {
    out.writeBoolean(isAtomic).writeLong(before).writeLong(after);
  }
}
