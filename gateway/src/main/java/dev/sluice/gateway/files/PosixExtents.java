package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;

/** Where the contents of local files are. */
final class PosixExtents implements FileExtents {
  private final Rights rights;

  PosixExtents(Rights rights) {
    this.rights = rights;
  }

  @Override
  public long nextData(FileNode file, long offset, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    // Nobody goes by where a descriptor stands in a file, so it may be shared.
    return found(calls.seekData(readable(file, caller, calls), offset));
  }

  @Override
  public long nextHole(FileNode file, long offset, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    return found(calls.seekHole(readable(file, caller, calls), offset));
  }

  private static long found(long result) throws FileException {
    if (result == -Errno.ENXIO) {
      return NOWHERE;
    }
    if (result < 0) {
      throw FileErrors.of((int) -result);
    }
    return result;
  }

  @Override
  public void allocate(FileNode file, long offset, long length, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    Node node = HeldNode.of(file).node();
    int descriptor = writable(node, calls);
    try (var _ = asWriter(node, caller, calls)) {
      FileErrors.check(calls.allocate(descriptor, offset, length));
    }
  }

  @Override
  public void deallocate(FileNode file, long offset, long length, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    Node node = HeldNode.of(file).node();
    int descriptor = writable(node, calls);
    try (var _ = asWriter(node, caller, calls)) {
      FileErrors.check(calls.deallocate(descriptor, offset, length));
    }
  }

  @Override
  public int copy(
      FileNode from, long fromOffset, FileNode to, long toOffset, int bytesMax, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int source = readable(from, caller, calls);
    Node node = HeldNode.of(to).node();
    int destination = writable(node, calls);
    try (var _ = asWriter(node, caller, calls)) {
      return FileErrors.check(calls.copy(source, fromOffset, destination, toOffset, bytesMax));
    }
  }

  @Override
  public void share(
      FileNode from, long fromOffset, FileNode to, long toOffset, long length, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int source = readable(from, caller, calls);
    Node node = HeldNode.of(to).node();
    int destination = writable(node, calls);
    try (var _ = asWriter(node, caller, calls)) {
      int result = calls.cloneRange(source, fromOffset, destination, toOffset, length);
      if (result == -Errno.ENOTTY) {
        throw FileErrors.of(Nfs3Status.NOTSUPP);
      }
      FileErrors.check(result);
    }
  }

  private int readable(FileNode file, Caller caller, SystemCalls calls) throws FileException {
    Node node = HeldNode.of(file).node();
    node.requireRegular();
    int descriptor = node.readDescriptor(calls);
    rights.requireLately(node, SystemCalls.MAY_READ, caller, calls);
    return descriptor;
  }

  private static int writable(Node node, SystemCalls calls) throws FileException {
    node.requireRegular();
    return node.writeDescriptor(calls);
  }

  /** As with writing: the kernel takes set-id bits away from what a stranger changes. */
  private ThreadIdentity asWriter(Node node, Caller caller, SystemCalls calls)
      throws FileException {
    ThreadIdentity identity = ThreadIdentity.ofThisThread().as(caller);
    try {
      rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
    } catch (FileException refusal) {
      identity.close();
      throw refusal;
    }
    return identity;
  }
}
