package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Whose locks may be claimed again. After a start there is a time of grace in which the clients of
 * the run before, and only they, get what they had. A client has a durable record from when it has
 * nothing more to claim until it ends, or until something was taken from it because it was late:
 * then somebody else may have had that since, and a claim after a restart would be wrong. For the
 * same reason those who did not come back in the time of grace lose their record before it ends.
 */
final class Reclaims {
  private final ClientRecords records;
  private final long graceEndNanos;

  /** Clients of the run before that may still have something to claim. */
  private final Set<Bytes> awaited = new HashSet<>();

  /** Of this run, who stands in the records. */
  private final Map<Bytes, Client> recorded = new HashMap<>();

  /** Names that could not be removed from the records yet. */
  private final Set<Bytes> unwanted = new HashSet<>();

  private volatile boolean isInGrace;

  Reclaims(ClientRecords records, long leaseNanos, long nowNanos) {
    this.records = records;
    this.graceEndNanos = nowNanos + leaseNanos;
    for (byte[] owner : records.load()) {
      awaited.add(new Bytes(owner));
    }
    this.isInGrace = !awaited.isEmpty();
  }

  boolean isInGrace(long nowNanos) {
    if (isInGrace && nowNanos - graceEndNanos >= 0) {
      endGrace();
    }
    return isInGrace;
  }

  /** Whether a client may get something new now, or claim something from before a restart. */
  void admit(Client client, boolean isReclaim, long nowNanos) throws StateException {
    boolean isGrace = isInGrace(nowNanos);
    if (isReclaim) {
      if (!isGrace || client.isReclaimComplete()) {
        throw new StateException(Nfs4Status.NO_GRACE, "it is too late to claim");
      }
      if (!isAwaited(client)) {
        throw new StateException(Nfs4Status.RECLAIM_BAD, "the client had nothing to claim");
      }
      return;
    }
    if (isGrace) {
      throw new StateException(Nfs4Status.GRACE, "others may still claim what they had");
    }
    if (!client.isReclaimComplete()) {
      // Some never say it, after a lease that ran out: they wait for a lease, not for ever.
      if (!client.isLongConfirmed(nowNanos)) {
        throw new StateException(Nfs4Status.GRACE, "expected RECLAIM_COMPLETE first");
      }
      complete(client);
    }
  }

  /** The client has nothing more to claim; what it gets from now on it may claim next time. */
  void complete(Client client) throws StateException {
    synchronized (this) {
      if (client.isGone()) {
        throw new StateException(Nfs4Status.DEADSESSION, "the client is no more");
      }
      if (!isRecorded(client)) {
        throw new StateException(Nfs4Status.DELAY, "the client's record could not be written");
      }
      client.setReclaimComplete();
      awaited.remove(client.owner().key());
      if (!isInGrace || !awaited.isEmpty()) {
        return;
      }
    }
    endGrace();
  }

  /**
   * The client may not claim anything after the next restart.
   *
   * @return false when the record could not be removed; that is tried again later
   */
  synchronized boolean isForgotten(Client client) {
    Bytes owner = client.owner().key();
    if (recorded.remove(owner, client)) {
      unwanted.add(owner);
    }
    return removeUnwanted() || !unwanted.contains(owner);
  }

  /** A client that has heard of all that was taken from it may have a record again. */
  synchronized void restore(Client client) {
    boolean isSure = client.isReclaimComplete() && client.revokedCount() == 0;
    if (isSure && !client.isGone()) {
      isRecorded(client);
    }
  }

  /** Tries again what failed. */
  synchronized void sweep() {
    removeUnwanted();
  }

  private synchronized boolean isAwaited(Client client) {
    return awaited.contains(client.owner().key());
  }

  /** Of a client that is not gone: one that goes does so before it is forgotten here. */
  private boolean isRecorded(Client client) {
    Bytes owner = client.owner().key();
    if (recorded.get(owner) == client) {
      return true;
    }
    try {
      records.add(owner.array());
      recorded.put(owner, client);
      unwanted.remove(owner);
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private synchronized void endGrace() {
    if (isInGrace) {
      unwanted.addAll(awaited);
      awaited.clear();
      removeUnwanted();
      isInGrace = false;
    }
  }

  private boolean removeUnwanted() {
    if (unwanted.isEmpty()) {
      return true;
    }
    List<byte[]> names = new ArrayList<>();
    unwanted.forEach(name -> names.add(name.array()));
    try {
      records.removeAll(names);
      unwanted.clear();
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }
}
