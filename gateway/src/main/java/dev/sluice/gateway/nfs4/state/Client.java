package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.SessionId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client and all that it has. */
public final class Client {
  private final long id;
  private final ClientOwner owner;
  private final Principal principal;
  private final long leaseNanos;
  private final NodeShare node;
  private final Quota stateQuota;
  private final Quota rangeQuota;
  private volatile long renewedNanos;
  private volatile long confirmedNanos;
  private volatile boolean isReclaimComplete;

  /** CREATE_SESSION's own slot, and what it made; under the lock of the table of clients. */
  private final Map<SessionId, Session> sessions = new LinkedHashMap<>();

  private int nextSequence = 1;
  private @Nullable SessionCreated lastCreated;

  /** Under this object's lock. */
  private final Set<State> states = new HashSet<>();

  private boolean isGone;
  private volatile int revokedCount;

  Client(
      long id,
      ClientOwner owner,
      Principal principal,
      long leaseNanos,
      NodeShare node,
      Quota stateQuota,
      Quota rangeQuota,
      long nowNanos) {
    this.id = id;
    this.owner = owner;
    this.principal = principal;
    this.leaseNanos = leaseNanos;
    this.node = node;
    this.stateQuota = stateQuota;
    this.rangeQuota = rangeQuota;
    this.renewedNanos = nowNanos;
    this.confirmedNanos = nowNanos;
  }

  public long id() {
    return id;
  }

  public ClientOwner owner() {
    return owner;
  }

  Principal principal() {
    return principal;
  }

  /** What it has together with all others of its address. */
  NodeShare node() {
    return node;
  }

  Quota stateQuota() {
    return stateQuota;
  }

  Quota rangeQuota() {
    return rangeQuota;
  }

  void renew(long nowNanos) {
    renewedNanos = nowNanos;
  }

  long silentNanos(long nowNanos) {
    return nowNanos - renewedNanos;
  }

  /** Whether its lease ran out. What it has is kept until somebody needs it. */
  boolean isLate(long nowNanos) {
    return isLongerThanLease(silentNanos(nowNanos));
  }

  /** Whether a time is longer than a lease. */
  boolean isLongerThanLease(long nanos) {
    return nanos > leaseNanos;
  }

  void confirm(long nowNanos) {
    confirmedNanos = nowNanos;
    renewedNanos = nowNanos;
  }

  /** Whether it had all the time it needs to say that it has nothing more to claim. */
  boolean isLongConfirmed(long nowNanos) {
    return isLongerThanLease(nowNanos - confirmedNanos);
  }

  boolean isReclaimComplete() {
    return isReclaimComplete;
  }

  void setReclaimComplete() {
    isReclaimComplete = true;
  }

  Map<SessionId, Session> sessions() {
    return sessions;
  }

  int nextSequence() {
    return nextSequence;
  }

  @Nullable SessionCreated lastCreated() {
    return lastCreated;
  }

  void created(SessionCreated created) {
    lastCreated = created;
    nextSequence = created.sequence() + 1;
  }

  /** Takes a state in; false when the client is no more. */
  synchronized boolean isAdded(State state) {
    return !isGone && states.add(state);
  }

  synchronized void remove(State state) {
    states.remove(state);
    if (state.life() == State.Life.REVOKED) {
      revokedCount--;
    }
  }

  /** One of its states was taken from it. */
  synchronized void countRevoked() {
    revokedCount++;
  }

  int revokedCount() {
    return revokedCount;
  }

  synchronized boolean hasStates() {
    return !states.isEmpty();
  }

  synchronized boolean isGone() {
    return isGone;
  }

  /** Takes no state in from now on, and has those that there are. */
  synchronized List<State> leave() {
    isGone = true;
    return List.copyOf(states);
  }
}
