package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** How states end: by their owner, with their client, or taken from a client that is late. */
final class Releases {
  private final StateTable table;
  private final FileTable files;
  private final Reclaims reclaims;
  private final AtomicInteger opens = new AtomicInteger();
  private final AtomicInteger locks = new AtomicInteger();

  Releases(StateTable table, FileTable files, Reclaims reclaims) {
    this.table = table;
    this.files = files;
    this.reclaims = reclaims;
  }

  int opens() {
    return opens.get();
  }

  int locks() {
    return locks.get();
  }

  /** Has a new state known. Under the file's lock. */
  void add(State state) throws StateException {
    if (!state.client().isAdded(state)) {
      table.release(state.place());
      throw new StateException(Nfs4Status.DEADSESSION, "the client is no more");
    }
    switch (state) {
      case OpenState open -> {
        state.file().opens().put(open.owner(), open);
        opens.incrementAndGet();
      }
      case LockState lock -> {
        state.file().locks().put(lock.owner(), lock);
        lock.open().locks().add(lock);
        locks.incrementAndGet();
      }
    }
    table.put(state);
  }

  /** Ends a client that is in no table any more, with all it has. */
  void endClient(Client client) {
    List<State> states = client.leave();
    reclaims.isForgotten(client);
    states.forEach(this::end);
  }

  /** Ends a state, if it has not ended. */
  void end(State state) {
    FileState file = state.file();
    boolean isToBeClosed;
    file.lock();
    try {
      isToBeClosed = isEnded(state, State.Life.ENDED);
    } finally {
      files.leave(file);
    }
    if (isToBeClosed) {
      close(state);
    }
  }

  /**
   * Takes states that are in somebody's way from their clients, which are late. One that has come
   * back meanwhile keeps them.
   */
  void revoke(List<? extends State> states, long nowNanos) throws StateException {
    for (State state : states) {
      Client client = state.client();
      if (!reclaims.isForgotten(client)) {
        throw new StateException(Nfs4Status.DELAY, "a client's record could not be removed");
      }
      boolean isToBeClosed = false;
      state.file().lock();
      try {
        if (state.life() == State.Life.LIVE && client.isLate(nowNanos)) {
          isToBeClosed = isEnded(state, State.Life.REVOKED);
        }
      } finally {
        files.leave(state.file());
      }
      if (isToBeClosed) {
        close(state);
      }
    }
  }

  /** Under the file's lock. True if it was live until now. */
  private boolean isEnded(State state, State.Life how) {
    State.Life before = state.life();
    if (before == State.Life.ENDED) {
      return false;
    }
    boolean wasLive = before == State.Life.LIVE;
    if (wasLive) {
      switch (state) {
        case OpenState open -> {
          List.copyOf(open.locks()).forEach(lock -> isEnded(lock, how));
          open.file().opens().remove(open.owner());
          open.file().discount(open.access(), open.deny());
          opens.decrementAndGet();
        }
        case LockState lock -> {
          lock.file().locks().remove(lock.owner());
          lock.open().locks().remove(lock);
          lock.client().rangeQuota().give(lock.ranges().size());
          lock.setRanges(RangeSet.EMPTY);
          closeQuietly(lock.fileLocks());
          locks.decrementAndGet();
        }
      }
    }
    if (how == State.Life.REVOKED) {
      state.client().countRevoked();
      state.setLife(how);
    } else {
      state.client().remove(state);
      state.setLife(how);
      table.release(state.place());
      state.client().stateQuota().give(State.weightOf(state.owner().name()));
    }
    return wasLive;
  }

  /** Lets go of what an open holds: not under the file's lock, for it may take its time. */
  private static void close(State state) {
    if (state instanceof OpenState open) {
      closeQuietly(open.held());
    }
  }

  /** Whoever closes a file cannot do more than that about it. */
  @SuppressWarnings("EmptyCatch")
  static void closeQuietly(AutoCloseable held) {
    try {
      held.close();
    } catch (Exception whatCannotBeClosedIsLetGo) {
      // The state is gone either way, and the client has nothing to learn from it.
    }
  }
}
