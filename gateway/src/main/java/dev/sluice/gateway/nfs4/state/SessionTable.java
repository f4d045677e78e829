package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All sessions. They are made and removed under the lock of the table of clients, and found without
 * a lock. Their numbers cannot be guessed: whoever knows one may speak for its client.
 */
final class SessionTable {
  /**
   * A session gets at most this part of the memory that is left for slots, so that there is always
   * some for the next.
   */
  private static final int PART_OF_REST = 64;

  /** The same for one whose client needs more than it began with: few do. */
  private static final int GROWTH_PART_OF_REST = 16;

  /** And at most this part of what is left for its node. */
  private static final int PART_OF_NODES_REST = 16;

  /** The same for one whose client needs more than it began with. */
  private static final int GROWTH_PART_OF_NODES_REST = 4;

  private final StateBounds bounds;
  private final ConcurrentHashMap<SessionId, Session> sessions = new ConcurrentHashMap<>();
  private final SecureRandom numbers = new SecureRandom();
  private long restBytes;

  SessionTable(StateBounds bounds) {
    this.bounds = bounds;
    this.restBytes = bounds.slotsBytesMax();
  }

  Session get(SessionId id) throws StateException {
    Session session = sessions.get(id);
    if (session == null) {
      throw new StateException(Nfs4Status.BADSESSION, id + " names no session");
    }
    return session;
  }

  boolean contains(SessionId id) {
    return sessions.containsKey(id);
  }

  int size() {
    return sessions.size();
  }

  /** How many slots all have. */
  int slots() {
    return sessions.values().stream().mapToInt(Session::slots).sum();
  }

  /** How many of them calls keep that wait. */
  int slotsKept() {
    return sessions.values().stream().mapToInt(session -> session.shares().kept()).sum();
  }

  /** What is wished for a session. */
  record Wish(
      int slots,
      int maxRequestBytes,
      int maxReplyBytes,
      int maxCachedReplyBytes,
      int maxOperations) {}

  /** Whether there is memory for a session with one slot at least. */
  boolean hasRoom() {
    return restBytes >= Session.bytesOfSlot(bounds.repliesBytesMax());
  }

  /** The same, of what the clients of one node may have together. */
  boolean hasRoom(NodeShare node) {
    return restBytes(node) >= Session.bytesOfSlot(bounds.repliesBytesMax());
  }

  private long restBytes(NodeShare node) {
    return bounds.slotsBytesMax() / bounds.nodesMin() - node.slotsBytes();
  }

  Session make(Client client, Wish wish, long nowNanos) throws StateException {
    if (client.sessions().size() >= bounds.sessionsPerClientMax()) {
      removeUnused(client, nowNanos);
    }
    int cached = Math.clamp(wish.maxCachedReplyBytes(), 0, bounds.repliesBytesMax());
    long ofNode = restBytes(client.node()) / PART_OF_NODES_REST;
    long affordable = Math.min(restBytes / PART_OF_REST, ofNode) / Session.bytesOfSlot(cached);
    int most = Math.clamp(affordable, 1, bounds.slotsPerSessionMax());
    Session session =
        new Session(
            new SessionId(client.id(), numbers.nextLong()),
            client,
            Math.clamp(wish.slots(), 1, most),
            wish.maxRequestBytes(),
            wish.maxReplyBytes(),
            cached,
            wish.maxOperations(),
            nowNanos);
    restBytes -= session.bytes();
    client.node().addSlotsBytes(session.bytes());
    client.sessions().put(session.id(), session);
    sessions.put(session.id(), session);
    return session;
  }

  /** Gives a session as many slots as it may have, as far as there is memory for them. */
  void grow(Session session) {
    int before = session.slots();
    if (before >= bounds.slotsPerSessionMax() || sessions.get(session.id()) != session) {
      return;
    }
    NodeShare node = session.client().node();
    long slotBytes = Session.bytesOfSlot(session.maxCachedReplyBytes());
    long affordableBytes =
        Math.min(restBytes / GROWTH_PART_OF_REST, restBytes(node) / GROWTH_PART_OF_NODES_REST);
    long more = Math.clamp(affordableBytes / slotBytes, 0, bounds.slotsPerSessionMax() - before);
    session.grow(before + (int) more);
    restBytes -= more * slotBytes;
    node.addSlotsBytes(more * slotBytes);
  }

  void remove(Session session) {
    if (sessions.remove(session.id()) != null) {
      session.client().sessions().remove(session.id());
      session.leave();
      restBytes += session.bytes();
      session.client().node().addSlotsBytes(-session.bytes());
    }
  }

  /** Makes room for one more of a client by the one it has lost track of, if there is such. */
  private void removeUnused(Client client, long nowNanos) throws StateException {
    Session unused =
        client.sessions().values().stream()
            .max(Comparator.comparingLong(session -> nowNanos - session.usedNanos()))
            .orElseThrow();
    if (!client.isLongerThanLease(nowNanos - unused.usedNanos())) {
      throw new StateException(
          Nfs4Status.NOSPC,
          "the client has " + client.sessions().size() + " sessions and uses them all");
    }
    remove(unused);
  }
}
