package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.SystemCalls;

/**
 * Who may do what, as the kernel says. Besides those whom it lets, a regular file's owner may
 * always read and write, and who may execute may read: the check belongs to a client's open, which
 * a server without state never sees (RFC 1813, section 4.4).
 */
final class Rights {
  private static final int ACCESS_READ = 0x01;
  private static final int ACCESS_LOOKUP = 0x02;
  private static final int ACCESS_MODIFY = 0x04;
  private static final int ACCESS_EXTEND = 0x08;
  private static final int ACCESS_DELETE = 0x10;
  private static final int ACCESS_EXECUTE = 0x20;

  /** Of version 4.2, to read, set and list extended attributes. */
  private static final int ACCESS_XATTR_READ = 0x40;

  private static final int ACCESS_XATTR_WRITE = 0x80;
  private static final int ACCESS_XATTR_LIST = 0x100;

  private final Grants grants = new Grants();

  /** Which of these rights of the ACCESS procedure the caller has. */
  int access(Node node, int rights, Caller caller, SystemCalls calls) throws FileException {
    boolean directory = node.type() == FileType.DIRECTORY;
    int onExecute = directory ? ACCESS_LOOKUP : ACCESS_EXECUTE;
    int onWrite = ACCESS_MODIFY | ACCESS_EXTEND | (directory ? ACCESS_DELETE : 0);
    // What is written to a directory is names, which must be looked up too.
    // Nothing else has them.
    int xattrs = directory || node.type() == FileType.REGULAR ? rights : 0;
    int onReadXattr = xattrs & (ACCESS_XATTR_READ | ACCESS_XATTR_LIST);
    int toWrite = SystemCalls.MAY_WRITE | (directory ? SystemCalls.MAY_EXECUTE : 0);
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      return granted(node, rights & ACCESS_READ, SystemCalls.MAY_READ, calls)
          | granted(node, rights & onExecute, SystemCalls.MAY_EXECUTE, calls)
          | granted(node, rights & onWrite, toWrite, calls)
          | granted(node, onReadXattr, SystemCalls.MAY_READ, calls)
          | granted(node, xattrs & ACCESS_XATTR_WRITE, SystemCalls.MAY_WRITE, calls);
    }
  }

  /**
   * Refuses a caller who does not have this right, or did not lately. For what may then be done as
   * root, because the kernel checks nothing else about it.
   */
  void requireLately(Node node, int right, Caller caller, SystemCalls calls) throws FileException {
    if (!needsCheck(caller)) {
      return;
    }
    long nowNanos = System.nanoTime();
    if (grants.has(node, right, caller, nowNanos)) {
      return;
    }
    int changes = node.attributeChanges();
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      require(node, right, caller, calls);
    }
    grants.keep(node, changes, right, caller, nowNanos);
  }

  /** Refuses a caller who does not have this right; to be asked while the thread is the caller. */
  void require(Node node, int right, Caller caller, SystemCalls calls) throws FileException {
    if (!needsCheck(caller)) {
      return;
    }
    int result = calls.access(node.descriptor(), right);
    if (result == -Errno.EACCES && isGrantedAnyway(node, right, caller, calls)) {
      return;
    }
    FileErrors.check(result);
  }

  /** Whether the kernel might say no. What the process's own user may not do, it cannot open. */
  private static boolean needsCheck(Caller caller) {
    return ThreadIdentity.isTakenOn() && caller.uid() != Caller.ROOT.uid();
  }

  private static int granted(Node node, int wanted, int rights, SystemCalls calls) {
    return wanted != 0 && calls.access(node.descriptor(), rights) == 0 ? wanted : 0;
  }

  private static boolean isGrantedAnyway(Node node, int right, Caller caller, SystemCalls calls) {
    if (node.type() != FileType.REGULAR) {
      return false;
    }
    return (calls.stat(node.descriptor()) == 0 && calls.status().uid() == caller.uid())
        || (right == SystemCalls.MAY_READ
            && calls.access(node.descriptor(), SystemCalls.MAY_EXECUTE) == 0);
  }
}
