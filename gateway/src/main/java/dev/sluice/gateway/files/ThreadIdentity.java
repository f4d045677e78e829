package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import org.jspecify.annotations.Nullable;

/**
 * Whom the kernel takes one thread for when it touches files. Between calls the thread is the
 * process's own user again: whatever else runs on it (a class that is loaded, a log that is opened)
 * must not fail because of who called last. The groups stay, as they take nothing from root and are
 * costly to change.
 *
 * <p>Only a process of root's can take on identities. Any other does everything as itself.
 */
final class ThreadIdentity implements AutoCloseable {
  private static final int ROOT = 0;

  /** To the kernel the number of nobody at all: setting it changes nothing, without an error. */
  private static final int NO_ONE = -1;

  private static final int NO_MASK = -1;

  private static final boolean TAKEN_ON = SystemCalls.ofThisThread().effectiveUser() == ROOT;

  private static final ThreadLocal<ThreadIdentity> OF_THREAD =
      ThreadLocal.withInitial(ThreadIdentity::new);

  private final SystemCalls calls = SystemCalls.ofThisThread();
  private boolean hasOwnMask;
  private int maskBefore = NO_MASK;
  private int uid = ROOT;
  private int uidThatWorked = ROOT;
  private int gid = NO_ONE;
  private @Nullable Caller groupsOf;

  private ThreadIdentity() {
    if (Thread.currentThread().isVirtual()) {
      throw new IllegalStateException(
          "a virtual thread changes its kernel thread, and with it who it is: use platform"
              + " threads");
    }
    if (TAKEN_ON) {
      // A user's quota binds, and the disk's reserve is root's, also where root writes for others.
      calls.dropResourcePower();
    }
  }

  /** Whether files are touched as the caller. */
  static boolean isTakenOn() {
    return TAKEN_ON;
  }

  /** The calling thread's. */
  static ThreadIdentity ofThisThread() {
    return OF_THREAD.get();
  }

  /** Has the thread be the caller until this is closed. */
  ThreadIdentity as(Caller caller) throws FileException {
    if (!TAKEN_ON) {
      return this;
    }
    if (caller.gid() != gid) {
      takeOnGroup(caller.gid());
    }
    if (caller.uid() != ROOT) {
      if (groupsOf == null || !groupsOf.equals(caller)) {
        takeOnGroups(caller);
      }
      takeOnUser(caller.uid());
    }
    return this;
  }

  /** As {@link #as}, to make something whose mode is exactly what is asked for. */
  ThreadIdentity asMaker(Caller caller) throws FileException {
    if (!hasOwnMask) {
      FileErrors.check(calls.separateModeMask());
      hasOwnMask = true;
    }
    as(caller);
    maskBefore = calls.changeModeMask(0);
    return this;
  }

  @Override
  public void close() {
    if (uid != ROOT) {
      calls.changeFileUser(ROOT);
      uid = ROOT;
    }
    if (maskBefore != NO_MASK) {
      calls.changeModeMask(maskBefore);
      maskBefore = NO_MASK;
    }
  }

  private void takeOnUser(int wanted) throws FileException {
    calls.changeFileUser(wanted);
    // The call has no way to say that it failed, as for a number that a container does not have.
    if (wanted != uidThatWorked) {
      if (wanted == NO_ONE || calls.changeFileUser(NO_ONE) != wanted) {
        calls.changeFileUser(ROOT);
        throw refused("user", wanted);
      }
      uidThatWorked = wanted;
    }
    uid = wanted;
  }

  private void takeOnGroup(int wanted) throws FileException {
    calls.changeFileGroup(wanted);
    if (wanted == NO_ONE || calls.changeFileGroup(NO_ONE) != wanted) {
      gid = NO_ONE;
      throw refused("group", wanted);
    }
    gid = wanted;
  }

  private void takeOnGroups(Caller caller) throws FileException {
    int[] groups = new int[caller.groupCount()];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = caller.group(i);
    }
    groupsOf = null;
    FileErrors.check(calls.changeGroups(groups));
    groupsOf = caller;
  }

  private static FileException refused(String what, int number) {
    return new FileException(
        Nfs3Status.ACCES,
        what + " " + Integer.toUnsignedString(number) + " is none that the kernel lets us act as");
  }
}
