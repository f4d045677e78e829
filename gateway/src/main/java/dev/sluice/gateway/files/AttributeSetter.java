package dev.sluice.gateway.files;

import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import org.jspecify.annotations.Nullable;

/** Sets a file's attributes, as the caller. */
final class AttributeSetter {
  private static final int UNCHANGED = -1;
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final Rights rights;

  AttributeSetter(Rights rights) {
    this.rights = rights;
  }

  /** Sets what is to be changed, the size first: only that asks for more than the kernel checks. */
  void set(Node node, AttributeChange change, Caller caller, SystemCalls calls)
      throws FileException {
    Long size = change.size();
    if (size != null) {
      node.requireRegular();
      if (size < 0) {
        throw FileErrors.of(Nfs3Status.FBIG);
      }
      int descriptor = node.writeDescriptor(calls);
      try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
        rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
        FileErrors.check(calls.truncate(descriptor, size));
      }
    }
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      setAllButSize(node, change, calls);
    } finally {
      node.countAttributeChange();
    }
  }

  /**
   * Owner before mode, as a new owner takes set-id bits away; times last, as all else sets them.
   */
  private static void setAllButSize(Node node, AttributeChange change, SystemCalls calls)
      throws FileException {
    int uid = valueOr(UNCHANGED, change.uid());
    int gid = valueOr(UNCHANGED, change.gid());
    if (uid != UNCHANGED || gid != UNCHANGED) {
      FileErrors.check(calls.changeOwner(node.descriptor(), uid, gid));
    }
    Integer mode = change.mode();
    // A symbolic link has no mode of its own; that is no reason to refuse a copy of one.
    if (mode != null && node.type() != FileType.SYMBOLIC_LINK) {
      FileErrors.check(calls.changeMode(node.descriptor(), mode & 07777));
    }
    if (change.accessed() != null || change.modified() != null) {
      setTimes(node, change.accessed(), change.modified(), calls);
    }
  }

  private static void setTimes(
      Node node, @Nullable TimeChange accessed, @Nullable TimeChange modified, SystemCalls calls)
      throws FileException {
    checkNanos(accessed);
    checkNanos(modified);
    FileErrors.check(
        calls.changeTimes(
            node.descriptor(),
            seconds(accessed),
            nanos(accessed),
            seconds(modified),
            nanos(modified)));
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
}
