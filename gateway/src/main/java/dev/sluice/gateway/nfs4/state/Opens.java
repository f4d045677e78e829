package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** OPEN, OPEN_DOWNGRADE and CLOSE, and who may read and write. */
final class Opens {
  private final StateTable table;
  private final FileTable files;
  private final Releases releases;
  private final Reclaims reclaims;
  private final Room room;

  Opens(StateTable table, FileTable files, Releases releases, Reclaims reclaims, Room room) {
    this.table = table;
    this.files = files;
    this.releases = releases;
    this.reclaims = reclaims;
    this.room = room;
  }

  Opened open(
      OwnerKey owner,
      Object key,
      int access,
      int deny,
      boolean isReclaim,
      Supplier<? extends AutoCloseable> held,
      long nowNanos)
      throws StateException {
    checkModes(access, deny);
    reclaims.admit(owner.client(), isReclaim, nowNanos);
    Quota quota = owner.client().stateQuota();
    int weight = State.weightOf(owner.name());
    room.take(owner.client(), quota, weight, Nfs4Status.NOSPC, nowNanos);
    boolean isKept = false;
    try {
      while (true) {
        List<OpenState> inTheWay;
        FileState file = files.enter(key);
        try {
          OpenState mine = file.opens().get(owner);
          inTheWay = file.inTheWay(mine, access, deny);
          if (inTheWay.isEmpty()) {
            OpenState open = mine == null ? made(owner, file, held) : mine;
            isKept = mine == null;
            return new Opened(widened(open, access, deny), isKept);
          }
          if (inTheWay.stream().anyMatch(other -> !other.client().isLate(nowNanos))) {
            throw new StateException(Nfs4Status.SHARE_DENIED, "somebody else has it open");
          }
        } finally {
          files.leave(file);
        }
        releases.revoke(inTheWay, nowNanos);
      }
    } finally {
      if (!isKept) {
        quota.give(weight);
      }
    }
  }

  Opening openState(Client client, StateId id) throws StateException {
    OpenState open = table.getOpen(client, id);
    return new Opening(open.id(), open.file().key(), open.access(), open.deny(), open.held());
  }

  StateId downgrade(Client client, StateId id, int access, int deny) throws StateException {
    checkModes(access, deny);
    FileState file = table.getOpen(client, id).file();
    file.lock();
    try {
      OpenState open = table.getOpen(client, id);
      int accessBefore = open.access();
      int denyBefore = open.deny();
      if (!open.isNarrowed(access, deny)) {
        throw new StateException(Nfs4Status.INVAL, "it was never opened so");
      }
      file.count(access, deny);
      file.discount(accessBefore, denyBefore);
      return open.changed();
    } finally {
      files.leave(file);
    }
  }

  void close(Client client, StateId id) throws StateException {
    releases.end(table.getOpen(client, id));
  }

  @Nullable AutoCloseable checkAccess(
      @Nullable Client client, StateId id, Object key, boolean isWrite, long nowNanos)
      throws StateException {
    if (id.isSpecial()) {
      checkSpecial(id, key, isWrite, nowNanos);
      return null;
    }
    State state = table.get(client, id);
    if (!state.file().key().equals(key)) {
      throw new StateException(Nfs4Status.BAD_STATEID, id + " is of another file");
    }
    OpenState open = state.open();
    if ((open.access() & (isWrite ? Share.WRITE : Share.READ)) == 0) {
      throw new StateException(Nfs4Status.OPENMODE, "it was not opened for that");
    }
    return open.held();
  }

  private void checkSpecial(StateId id, Object key, boolean isWrite, long nowNanos)
      throws StateException {
    boolean isBypass = id.equals(StateId.READ_BYPASS);
    if (!isBypass && !id.equals(StateId.ANONYMOUS)) {
      throw new StateException(Nfs4Status.BAD_STATEID, id + " names nothing");
    }
    if (isBypass && !isWrite) {
      return;
    }
    if (reclaims.isInGrace(nowNanos)) {
      throw new StateException(Nfs4Status.GRACE, "others may still claim what they had");
    }
    FileState file = files.find(key);
    if (file == null || !file.isDenied(isWrite)) {
      return;
    }
    yieldTo(file, isWrite ? Share.WRITE : Share.READ, nowNanos);
  }

  /** Somebody denies what is asked for: if only clients that are late do, they give way. */
  private void yieldTo(FileState file, int access, long nowNanos) throws StateException {
    List<OpenState> inTheWay;
    file.lock();
    try {
      inTheWay = file.inTheWay(null, access, Share.NONE);
    } finally {
      files.leave(file);
    }
    if (inTheWay.stream().anyMatch(other -> !other.client().isLate(nowNanos))) {
      throw new StateException(Nfs4Status.LOCKED, "somebody has it open and denies that");
    }
    releases.revoke(inTheWay, nowNanos);
  }

  private OpenState made(OwnerKey owner, FileState file, Supplier<? extends AutoCloseable> held)
      throws StateException {
    AutoCloseable opened = held.get();
    OpenState open = new OpenState(table.take(), owner, file, opened);
    try {
      releases.add(open);
    } catch (StateException refused) {
      Releases.closeQuietly(opened);
      throw refused;
    }
    return open;
  }

  private static StateId widened(OpenState open, int access, int deny) {
    FileState file = open.file();
    int accessBefore = open.access();
    int denyBefore = open.deny();
    open.widen(access, deny);
    file.count(open.access(), open.deny());
    file.discount(accessBefore, denyBefore);
    return open.changed();
  }

  private static void checkModes(int access, int deny) throws StateException {
    if (access < Share.READ || access > Share.BOTH || deny < Share.NONE || deny > Share.BOTH) {
      throw new StateException(Nfs4Status.INVAL, "access " + access + ", deny " + deny);
    }
  }
}
