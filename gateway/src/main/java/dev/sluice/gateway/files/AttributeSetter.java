package dev.sluice.gateway.files;

import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.FileStatus;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import org.jspecify.annotations.Nullable;

/** Sets a file's attributes, as the caller. */
final class AttributeSetter {
  private static final int UNCHANGED = -1;
  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int SET_ID_BITS = 06000;
  private static final int NO_DESCRIPTOR = -1;

  private final Rights rights;

  AttributeSetter(Rights rights) {
    this.rights = rights;
  }

  /**
   * Sets all that is to be changed, or throws and leaves the file as it was: its contents, owner,
   * mode and times. (Of a refusal that only came with a later step the time of the last change of
   * attributes may tell, which nobody can set.)
   *
   * <p>What the kernel may refuse comes first and is put back where a later step is refused; the
   * size, which nobody could put back, comes last. What follows it sets once more what cutting a
   * file takes away, which the same caller was allowed an instant ago: only a disk that fails, or
   * somebody on the server itself in that very instant, could keep that from happening.
   *
   * <p>To the server's clock, times may be set by all who may write. Linux lets only the owner set
   * one of the two, but this is what its own client sends for a truncation by anybody; beside a
   * size it is left out, as a file that is cut or grown has that time anyway.
   *
   * <p>Two who set the same file's attributes at once could put back each other's: whoever calls
   * this for a file that others know has begun a {@link NodeChange} of it.
   */
  void set(Node node, AttributeChange change, Caller caller, SystemCalls calls)
      throws FileException {
    check(node, change);
    AttributeChange rest = withoutSize(change);
    Long size = change.size();
    int contents = size == null ? NO_DESCRIPTOR : node.writeDescriptor(calls);
    // A single step is done or refused as a whole by the kernel itself.
    Former former = steps(rest) + (size == null ? 0 : 1) > 1 ? Former.of(node, calls) : null;
    try {
      if (size != null) {
        try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
          rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
        }
      }
      setAllButSize(node, rest, caller, calls);
      if (size != null) {
        try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
          FileErrors.check(calls.truncate(contents, size));
        }
      }
    } catch (FileException refusal) {
      if (former != null) {
        former.putBack(node, rest, calls);
      }
      throw refusal;
    } finally {
      node.countAttributeChange();
    }
    if (size != null) {
      setAllButSize(node, lostByCutting(rest), caller, calls);
    }
  }

  /** What no file can have. */
  private static void check(Node node, AttributeChange change) throws FileException {
    Long size = change.size();
    if (size != null) {
      node.requireRegular();
      if (size < 0) {
        throw FileErrors.of(Nfs3Status.FBIG);
      }
    }
    checkNanos(change.accessed());
    checkNanos(change.modified());
  }

  private static AttributeChange withoutSize(AttributeChange change) {
    boolean isImplied = change.size() != null && change.modified() instanceof TimeChange.Now;
    return new AttributeChange(
        change.mode(),
        change.uid(),
        change.gid(),
        null,
        change.accessed(),
        isImplied ? null : change.modified());
  }

  /** The kernel takes set-id bits from what a stranger cuts, and gives it a new time. */
  private static AttributeChange lostByCutting(AttributeChange rest) {
    Integer mode = rest.mode();
    boolean losesMode = mode != null && (mode & SET_ID_BITS) != 0;
    boolean losesTime = rest.modified() != null;
    return new AttributeChange(
        losesMode ? mode : null,
        null,
        null,
        null,
        losesTime ? rest.accessed() : null,
        losesTime ? rest.modified() : null);
  }

  private static boolean setsOwner(AttributeChange change) {
    return change.uid() != null || change.gid() != null;
  }

  private static boolean setsTimes(AttributeChange change) {
    return change.accessed() != null || change.modified() != null;
  }

  /** How many calls of the kernel it takes. */
  private static int steps(AttributeChange rest) {
    return (setsOwner(rest) ? 1 : 0) + (rest.mode() != null ? 1 : 0) + (setsTimes(rest) ? 1 : 0);
  }

  /**
   * Owner before mode, as a new owner takes set-id bits away; times last, as all else sets them.
   */
  private static void setAllButSize(
      Node node, AttributeChange change, Caller caller, SystemCalls calls) throws FileException {
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      if (setsOwner(change)) {
        int uid = valueOr(UNCHANGED, change.uid());
        int gid = valueOr(UNCHANGED, change.gid());
        FileErrors.check(calls.changeOwner(node.descriptor(), uid, gid));
      }
      Integer mode = change.mode();
      // A symbolic link has no mode of its own; that is no reason to refuse a copy of one.
      if (mode != null && node.type() != FileType.SYMBOLIC_LINK) {
        FileErrors.check(calls.changeMode(node.descriptor(), mode & 07777));
      }
    }
    if (setsTimes(change)) {
      setTimes(node, change, caller, calls);
    }
  }

  private static void setTimes(Node node, AttributeChange change, Caller caller, SystemCalls calls)
      throws FileException {
    int result;
    boolean isAllowedAnyway = false;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      result = changeTimes(node, change, calls);
      if (result == -Errno.EPERM && isToNowOnly(change)) {
        isAllowedAnyway =
            node.type() != FileType.SYMBOLIC_LINK
                && calls.access(node.descriptor(), SystemCalls.MAY_WRITE) == 0;
      }
    }
    FileErrors.check(isAllowedAnyway ? changeTimes(node, change, calls) : result);
  }

  private static boolean isToNowOnly(AttributeChange change) {
    return !(change.accessed() instanceof TimeChange.To)
        && !(change.modified() instanceof TimeChange.To);
  }

  private static int changeTimes(Node node, AttributeChange change, SystemCalls calls) {
    return calls.changeTimes(
        node.descriptor(),
        seconds(change.accessed()),
        nanos(change.accessed()),
        seconds(change.modified()),
        nanos(change.modified()));
  }

  /** Beyond a second, numbers of nanoseconds mean something else to the kernel. */
  private static void checkNanos(@Nullable TimeChange change) throws FileException {
    if (change instanceof TimeChange.To(Timestamp time)
        && (time.nanos() < 0 || time.nanos() >= NANOS_PER_SECOND)) {
      throw FileErrors.of(Nfs3Status.INVAL);
    }
  }

  private static long seconds(@Nullable TimeChange change) {
    return change instanceof TimeChange.To(Timestamp time) ? time.seconds() : 0;
  }

  private static long nanos(@Nullable TimeChange change) {
    return switch (change) {
      case null -> SystemCalls.TIME_UNCHANGED;
      case TimeChange.Now _ -> SystemCalls.TIME_NOW;
      case TimeChange.To(Timestamp time) -> time.nanos();
    };
  }

  private static int valueOr(int otherwise, @Nullable Integer value) {
    return value == null ? otherwise : value;
  }

  /** How a file was, and can be again. */
  private record Former(int uid, int gid, int mode, Timestamp accessed, Timestamp modified) {
    static Former of(Node node, SystemCalls calls) throws FileException {
      FileErrors.check(calls.stat(node.descriptor()));
      FileStatus status = calls.status();
      return new Former(
          status.uid(),
          status.gid(),
          status.mode(),
          new Timestamp(status.accessedSeconds(), status.accessedNanos()),
          new Timestamp(status.modifiedSeconds(), status.modifiedNanos()));
    }

    /** Sets, as the process itself, what may have been changed; as far as it can be. */
    void putBack(Node node, AttributeChange begun, SystemCalls calls) {
      if (calls.stat(node.descriptor()) < 0) {
        return;
      }
      FileStatus now = calls.status();
      boolean isAnothers = now.uid() != uid || now.gid() != gid;
      boolean hasOtherMode = now.mode() != mode;
      if (isAnothers) {
        calls.changeOwner(node.descriptor(), uid, gid);
      }
      // A change of the owner may have taken bits away, to there or back.
      if ((isAnothers || hasOtherMode) && node.type() != FileType.SYMBOLIC_LINK) {
        calls.changeMode(node.descriptor(), mode);
      }
      if (setsTimes(begun)) {
        calls.changeTimes(
            node.descriptor(),
            accessed.seconds(),
            accessed.nanos(),
            modified.seconds(),
            modified.nanos());
      }
    }
  }
}
