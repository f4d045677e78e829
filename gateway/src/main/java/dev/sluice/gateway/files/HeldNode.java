package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.SystemCalls;

/** A file in use by one call, under the handle that the call came with. */
record HeldNode(Node node, FileHandle handle) implements FileNode {
  /** The same, as the tree that handed it out knows it. */
  static HeldNode of(FileNode node) {
    if (node instanceof HeldNode held) {
      return held;
    }
    throw new IllegalArgumentException("this is no file of this tree");
  }

  @Override
  public void close() {
    node.release(SystemCalls.ofThisThread());
  }
}
