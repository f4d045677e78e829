package dev.sluice.gateway.nfs4.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A file that somebody has open: who, and what of it is locked. Changes under its lock. */
final class FileState {
  private final Object key;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<OwnerKey, OpenState> opens = new HashMap<>(2);
  private final Map<OwnerKey, LockState> locks = new HashMap<>(2);
  private int readers;
  private int writers;
  private int readDenials;
  private int writeDenials;

  /** What is denied, for those who do not take the lock. */
  private volatile int denied;

  private boolean isGone;

  FileState(Object key) {
    this.key = key;
  }

  Object key() {
    return key;
  }

  /** To be followed by {@link FileTable#leave}. */
  void lock() {
    lock.lock();
  }

  void unlock() {
    lock.unlock();
  }

  Map<OwnerKey, OpenState> opens() {
    return opens;
  }

  Map<OwnerKey, LockState> locks() {
    return locks;
  }

  boolean isGone() {
    return isGone;
  }

  /** Nobody has it open any more, and nobody will in this object. */
  boolean isLeft() {
    isGone = opens.isEmpty() && locks.isEmpty();
    return isGone;
  }

  /** Whether some open denies others this. Needs no lock. */
  boolean isDenied(boolean isWrite) {
    return (denied & (isWrite ? Share.WRITE : Share.READ)) != 0;
  }

  /** Counts what an open may and denies. */
  void count(int access, int deny) {
    add(access, deny, 1);
  }

  /** Counts no longer what an open might and denied. */
  void discount(int access, int deny) {
    add(access, deny, -1);
  }

  /**
   * The opens of others that an open cannot be beside.
   *
   * @param mine what the owner has already; it is never in its own way
   */
  List<OpenState> inTheWay(@Nullable OpenState mine, int access, int deny) {
    int myAccess = mine == null ? Share.NONE : mine.access();
    int myDeny = mine == null ? Share.NONE : mine.deny();
    boolean isFree =
        ((access & Share.READ) == 0 || readDenials == (myDeny & Share.READ))
            && ((access & Share.WRITE) == 0 || writeDenials == (myDeny & Share.WRITE) >> 1)
            && ((deny & Share.READ) == 0 || readers == (myAccess & Share.READ))
            && ((deny & Share.WRITE) == 0 || writers == (myAccess & Share.WRITE) >> 1);
    if (isFree) {
      return List.of();
    }
    List<OpenState> found = new ArrayList<>();
    for (OpenState open : opens.values()) {
      if (open != mine && ((open.deny() & access) != 0 || (open.access() & deny) != 0)) {
        found.add(open);
      }
    }
    return found;
  }

  /** The locks of others that a lock cannot be beside. */
  List<LockState> inTheWay(OwnerKey owner, Range range) {
    List<LockState> found = List.of();
    for (LockState other : locks.values()) {
      if (other.ranges().conflictWith(range) != null && !other.owner().equals(owner)) {
        found = found.isEmpty() ? new ArrayList<>() : found;
        found.add(other);
      }
    }
    return found;
  }

  private void add(int access, int deny, int count) {
    readers += (access & Share.READ) * count;
    writers += ((access & Share.WRITE) >> 1) * count;
    readDenials += (deny & Share.READ) * count;
    writeDenials += ((deny & Share.WRITE) >> 1) * count;
    denied = (readDenials > 0 ? Share.READ : 0) | (writeDenials > 0 ? Share.WRITE : 0);
  }
}
