package dev.sluice.gateway.nfs4.state;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** LOCK, LOCKT and LOCKU. */
final class Locks {
  /** A range in the middle of another of the other kind makes three of one. */
  private static final int RANGES_MORE = 2;

  private static final byte[] NOBODY = {};

  private final StateTable table;
  private final FileTable files;
  private final Releases releases;
  private final Reclaims reclaims;
  private final Room room;

  Locks(StateTable table, FileTable files, Releases releases, Reclaims reclaims, Room room) {
    this.table = table;
    this.files = files;
    this.releases = releases;
    this.reclaims = reclaims;
    this.room = room;
  }

  Locked lock(
      Client client, LockRequest request, Supplier<? extends FileLocks> locks, long nowNanos)
      throws StateException {
    Range range = Range.of(request.offset(), request.length(), request.isExclusive());
    State named = namedBy(client, request);
    reclaims.admit(client, request.isReclaim(), nowNanos);
    Bytes newOwner = request.newOwner();
    OwnerKey owner = newOwner == null ? named.owner() : new OwnerKey(client, newOwner);
    int weight = newOwner == null ? 0 : State.weightOf(newOwner);
    room.take(client, client.stateQuota(), weight, Nfs4Status.SERVERFAULT, nowNanos);
    int given = weight;
    try {
      room.take(client, client.rangeQuota(), RANGES_MORE, Nfs4Status.SERVERFAULT, nowNanos);
      int rangesGiven = RANGES_MORE;
      try {
        while (true) {
          List<LockState> inTheWay;
          named.file().lock();
          try {
            namedBy(client, request);
            inTheWay = named.file().inTheWay(owner, range);
            if (inTheWay.isEmpty()) {
              LockState mine = named.file().locks().get(owner);
              int before = mine == null ? 0 : mine.ranges().size();
              LockState locked = tryLock(named.open(), owner, mine, range, locks);
              if (locked == null) {
                return refused(request, new Denied(range, 0, NOBODY));
              }
              given = mine == null ? 0 : weight;
              rangesGiven = RANGES_MORE - (locked.ranges().size() - before);
              return new Locked.Granted(locked.changed());
            }
            Denied denied = denial(inTheWay, range, nowNanos);
            if (denied != null) {
              return refused(request, denied);
            }
          } finally {
            files.leave(named.file());
          }
          releases.revoke(inTheWay, nowNanos);
        }
      } finally {
        client.rangeQuota().give(rangesGiven);
      }
    } finally {
      client.stateQuota().give(given);
    }
  }

  @Nullable Denied test(
      OwnerKey owner, Object key, Range range, Supplier<? extends FileLocks> locks, long nowNanos)
      throws StateException {
    if (reclaims.isInGrace(nowNanos)) {
      throw new StateException(Nfs4Status.GRACE, "others may still claim what they had");
    }
    FileState file = files.enter(key);
    try {
      List<LockState> inTheWay = file.inTheWay(owner, range);
      if (!inTheWay.isEmpty()) {
        return denial(inTheWay, range, nowNanos);
      }
      LockState mine = file.locks().get(owner);
      if (mine != null) {
        return isFree(mine.fileLocks(), range) ? null : new Denied(range, 0, NOBODY);
      }
      try (FileLocks probe = locks.get()) {
        return isFree(probe, range) ? null : new Denied(range, 0, NOBODY);
      }
    } finally {
      files.leave(file);
    }
  }

  StateId unlock(Client client, StateId id, Object key, Range range) throws StateException {
    LockState named = table.getLocks(client, id);
    checkFile(named, key);
    named.file().lock();
    try {
      LockState mine = table.getLocks(client, id);
      RangeSet less = mine.ranges().without(range);
      int more = less.size() - mine.ranges().size();
      if (more > 0 && !client.rangeQuota().tryTake(more)) {
        throw new StateException(Nfs4Status.SERVERFAULT, "too many ranges are locked");
      }
      if (range.isInFiles()) {
        mine.fileLocks().unlock(range.first(), range.lengthInFile());
      }
      mine.setRanges(less);
      if (more < 0) {
        client.rangeQuota().give(-more);
      }
      return mine.changed();
    } finally {
      files.leave(named.file());
    }
  }

  /** Forgets an owner that has nothing locked. */
  void free(Client client, StateId id) throws StateException {
    if (!(table.get(client, id) instanceof LockState locks)) {
      throw new StateException(Nfs4Status.LOCKS_HELD, id + " is of an open");
    }
    locks.file().lock();
    try {
      if (locks.ranges().size() > 0) {
        throw new StateException(Nfs4Status.LOCKS_HELD, id + " is of locks that are held");
      }
      releases.end(locks);
    } finally {
      files.leave(locks.file());
    }
  }

  /** Which state a request is made by; it may end until the file's lock is taken. */
  private State namedBy(Client client, LockRequest request) throws StateException {
    State named =
        request.newOwner() == null
            ? table.getLocks(client, request.state())
            : table.getOpen(client, request.state());
    checkFile(named, request.file());
    int access = request.isExclusive() ? Share.WRITE : Share.READ;
    if ((named.open().access() & access) == 0) {
      throw new StateException(Nfs4Status.OPENMODE, "it was not opened for that");
    }
    return named;
  }

  /** Locks in the file system and then here; null when the file system says no. */
  private @Nullable LockState tryLock(
      OpenState open,
      OwnerKey owner,
      @Nullable LockState mine,
      Range range,
      Supplier<? extends FileLocks> locks)
      throws StateException {
    if (mine != null) {
      if (!isTaken(mine.fileLocks(), range)) {
        return null;
      }
      mine.setRanges(mine.ranges().with(range));
      return mine;
    }
    FileLocks fileLocks = locks.get();
    boolean isKept = false;
    try {
      if (!isTaken(fileLocks, range)) {
        return null;
      }
      LockState made = new LockState(table.take(), owner, open, fileLocks);
      releases.add(made);
      made.setRanges(RangeSet.EMPTY.with(range));
      isKept = true;
      return made;
    } finally {
      if (!isKept) {
        fileLocks.close();
      }
    }
  }

  private static boolean isTaken(FileLocks locks, Range range) {
    return !range.isInFiles()
        || locks.tryLock(range.first(), range.lengthInFile(), range.isExclusive());
  }

  private static boolean isFree(FileLocks locks, Range range) {
    return !range.isInFiles()
        || locks.isFree(range.first(), range.lengthInFile(), range.isExclusive());
  }

  /** Names one that is not late; null when all are. */
  private static @Nullable Denied denial(List<LockState> inTheWay, Range range, long nowNanos) {
    for (LockState other : inTheWay) {
      Range theirs = other.ranges().conflictWith(range);
      if (theirs != null && !other.client().isLate(nowNanos)) {
        return new Denied(theirs, other.client().id(), other.owner().name().array());
      }
    }
    return null;
  }

  private static Denied refused(LockRequest request, Denied denied) throws StateException {
    if (request.isReclaim()) {
      throw new StateException(Nfs4Status.RECLAIM_CONFLICT, "somebody else has it");
    }
    return denied;
  }

  private static void checkFile(State state, Object key) throws StateException {
    if (!state.file().key().equals(key)) {
      throw new StateException(Nfs4Status.BAD_STATEID, state.id() + " is of another file");
    }
  }
}
