package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** All states by their numbers. Looking one up takes no lock and leaves no garbage. */
final class StateTable {
  private static final int INDEX_BITS = 24;

  /**
   * Where a state stands.
   *
   * @param server the run of the server
   * @param number its place, and above that how many were given out before
   */
  record Place(int server, long number) {
    int index() {
      return (int) number & ((1 << INDEX_BITS) - 1);
    }
  }

  private final int server;
  private final AtomicReferenceArray<@Nullable State> states;
  private final int[] free;
  private int freeCount;
  private long given;

  StateTable(int server, int size) {
    if (size > 1 << INDEX_BITS) {
      throw new IllegalArgumentException("expected at most 2^24 states, not " + size);
    }
    this.server = server;
    this.states = new AtomicReferenceArray<>(size);
    this.free = new int[size];
    this.freeCount = size;
    for (int i = 0; i < size; i++) {
      free[i] = size - 1 - i;
    }
  }

  /** A place for a new state. There is one: whoever asks has taken from the quota before. */
  synchronized Place take() {
    return new Place(server, ++given << INDEX_BITS | free[--freeCount]);
  }

  void put(State state) {
    states.set(state.place().index(), state);
  }

  /** Has the place for another. */
  synchronized void release(Place place) {
    states.set(place.index(), null);
    free[freeCount++] = place.index();
  }

  /** Those that there are now. */
  List<State> all() {
    List<State> all = new ArrayList<>();
    for (int i = 0; i < states.length(); i++) {
      State state = states.get(i);
      if (state != null) {
        all.add(state);
      }
    }
    return all;
  }

  /** The state that is named; null when there is none, or it is another client's. */
  @Nullable State find(@Nullable Client client, StateId id) {
    long index = id.number() & ((1 << INDEX_BITS) - 1);
    if (id.server() != server || index >= states.length()) {
      return null;
    }
    State state = states.get((int) index);
    boolean isIt =
        state != null
            && state.place().number() == id.number()
            && (client == null || state.client() == client);
    return isIt ? state : null;
  }

  /** The state that is named, if the name is of now. */
  State get(@Nullable Client client, StateId id) throws StateException {
    State state = find(client, id);
    if (state == null) {
      throw new StateException(Nfs4Status.BAD_STATEID, id + " names nothing");
    }
    Nfs4Status status = state.check(id);
    if (status != Nfs4Status.OK) {
      throw new StateException(status, id + " is not " + state.id());
    }
    return state;
  }

  OpenState getOpen(Client client, StateId id) throws StateException {
    if (get(client, id) instanceof OpenState open) {
      return open;
    }
    throw new StateException(Nfs4Status.BAD_STATEID, id + " is of locks, not of an open");
  }

  LockState getLocks(Client client, StateId id) throws StateException {
    if (get(client, id) instanceof LockState locks) {
      return locks;
    }
    throw new StateException(Nfs4Status.BAD_STATEID, id + " is of an open, not of locks");
  }
}
