package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;

/** Something a client has that a stateid names. What changes, changes under the file's lock. */
abstract sealed class State permits OpenState, LockState {
  /** How it is with it. */
  enum Life {
    LIVE,
    /** Taken from a client that was late: it stays until the client has heard of it. */
    REVOKED,
    ENDED
  }

  private final StateTable.Place place;
  private final OwnerKey owner;
  private final FileState file;
  private volatile int sequence;
  private volatile Life life = Life.LIVE;

  State(StateTable.Place place, OwnerKey owner, FileState file) {
    this.place = place;
    this.owner = owner;
    this.file = file;
  }

  /** The open through which the file is read and written. */
  abstract OpenState open();

  final OwnerKey owner() {
    return owner;
  }

  final Client client() {
    return owner.client();
  }

  final FileState file() {
    return file;
  }

  final StateTable.Place place() {
    return place;
  }

  final Life life() {
    return life;
  }

  final void setLife(Life life) {
    this.life = life;
  }

  final StateId id() {
    return new StateId(sequence, place.server(), place.number());
  }

  /** Counts a change. 0 is no number of a state: it stands for any. */
  final StateId changed() {
    int next = sequence + 1;
    sequence = next == 0 ? 1 : next;
    return id();
  }

  /** How many ordinary ones it counts for: a long name needs the memory of several. */
  static int weightOf(Bytes name) {
    return 1 + name.length() / 256;
  }

  /** Whether a stateid that names this is of now: OK, OLD_STATEID, BAD_STATEID or EXPIRED. */
  final Nfs4Status check(StateId id) {
    if (life == Life.REVOKED) {
      return Nfs4Status.EXPIRED;
    }
    if (life == Life.ENDED) {
      return Nfs4Status.BAD_STATEID;
    }
    int ahead = id.sequence() - sequence;
    if (id.sequence() == 0 || ahead == 0) {
      return Nfs4Status.OK;
    }
    return ahead > 0 ? Nfs4Status.BAD_STATEID : Nfs4Status.OLD_STATEID;
  }
}
