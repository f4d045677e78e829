package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.util.function.IntUnaryOperator;

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
    FileErrors.check(
        change(file, caller, calls, descriptor -> calls.allocate(descriptor, offset, length)));
  }

  @Override
  public void deallocate(FileNode file, long offset, long length, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    FileErrors.check(
        change(file, caller, calls, descriptor -> calls.deallocate(descriptor, offset, length)));
  }

  @Override
  public int copy(
      FileNode from, long fromOffset, FileNode to, long toOffset, int bytesMax, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int source = readable(from, caller, calls);
    return FileErrors.check(
        change(
            to,
            caller,
            calls,
            descriptor -> calls.copy(source, fromOffset, descriptor, toOffset, bytesMax)));
  }

  @Override
  public void share(
      FileNode from, long fromOffset, FileNode to, long toOffset, long length, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int source = readable(from, caller, calls);
    int result =
        change(
            to,
            caller,
            calls,
            descriptor -> calls.cloneRange(source, fromOffset, descriptor, toOffset, length));
    if (result == -Errno.ENOTTY) {
      throw FileErrors.of(Nfs3Status.NOTSUPP);
    }
    FileErrors.check(result);
  }

  /** Does something to the contents of a file, as the caller and if that may write. */
  private int change(FileNode file, Caller caller, SystemCalls calls, IntUnaryOperator change)
      throws FileException {
    Node node = HeldNode.of(file).node();
    node.requireRegular();
    int descriptor = node.writeDescriptor(calls);
    // As with writing: the kernel takes set-id bits away from what a stranger changes.
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
      return change.applyAsInt(descriptor);
    }
  }

  private int readable(FileNode file, Caller caller, SystemCalls calls) throws FileException {
    Node node = HeldNode.of(file).node();
    node.requireRegular();
    int descriptor = node.readDescriptor(calls);
    rights.requireLately(node, SystemCalls.MAY_READ, caller, calls);
    return descriptor;
  }
}
