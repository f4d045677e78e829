package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The clients: how they introduce themselves (EXCHANGE_ID), make sessions (CREATE_SESSION) and
 * leave. One name has at most one client that made a session, and one that only introduced itself
 * and takes the place of the other when it makes its first session.
 *
 * <p>What a client has is released after this table's lock: that may take its time.
 */
final class ClientTable {
  private static final long COURTESY_NANOS = 24L * 60 * 60 * 1_000_000_000;

  private final StateBounds bounds;
  private final long leaseNanos;
  private final int server;
  private final Releases releases;
  private final Reclaims reclaims;
  private final SessionTable sessions;
  private final Quota states;
  private final Quota ranges;
  private final Map<Long, Client> byId = new HashMap<>();
  private final Map<Bytes, Client> confirmed = new HashMap<>();

  /** The oldest first. */
  private final Map<Bytes, Client> unconfirmed = new LinkedHashMap<>();

  /** By address, of those that are in one of the tables. */
  private final Map<String, NodeShare> nodes = new HashMap<>();

  private int given;

  ClientTable(
      StateBounds bounds,
      long leaseNanos,
      int server,
      Releases releases,
      Reclaims reclaims,
      SessionTable sessions) {
    this.bounds = bounds;
    this.leaseNanos = leaseNanos;
    this.server = server;
    this.releases = releases;
    this.reclaims = reclaims;
    this.sessions = sessions;
    this.states = Quota.ofAll(bounds.statesMax());
    this.ranges = Quota.ofAll(bounds.lockRangesMax());
  }

  /** The cases of RFC 8881, section 18.35.4. */
  Exchanged exchangeId(ClientOwner owner, Principal principal, boolean isUpdate, long nowNanos)
      throws StateException {
    List<Client> ended = new ArrayList<>();
    try {
      return exchangeId(owner, principal, isUpdate, nowNanos, ended);
    } finally {
      ended.forEach(releases::endClient);
    }
  }

  private synchronized Exchanged exchangeId(
      ClientOwner owner, Principal principal, boolean isUpdate, long nowNanos, List<Client> ended)
      throws StateException {
    Client known = confirmed.get(owner.key());
    if (isUpdate) {
      return updated(known, owner, principal);
    }
    if (known != null) {
      checkIsFree(known, principal, nowNanos);
      boolean isSame = known.principal().isSame(principal);
      if (isSame && known.owner().verifier() == owner.verifier()) {
        return new Exchanged(known.id(), known.nextSequence(), true);
      }
      if (!isSame) {
        unlink(known);
        ended.add(known);
      }
    }
    forgetUnconfirmed(unconfirmed.get(owner.key()));
    makeRoomForUnconfirmed(nodes.get(principal.address()));
    NodeShare node = nodes.computeIfAbsent(principal.address(), _ -> newNode());
    Client client =
        new Client(
            (long) server << Integer.SIZE | Integer.toUnsignedLong(++given),
            owner,
            principal,
            leaseNanos,
            node,
            node.states().share(bounds.statesPerClientMax()),
            node.ranges().share(bounds.lockRangesPerClientMax()),
            nowNanos);
    unconfirmed.put(owner.key(), client);
    node.addUnconfirmed(1);
    byId.put(client.id(), client);
    return new Exchanged(client.id(), client.nextSequence(), false);
  }

  SessionCreated createSession(
      long clientId, int sequence, SessionTable.Wish wish, Principal principal, long nowNanos)
      throws StateException {
    List<Client> ended = new ArrayList<>();
    try {
      return createSession(clientId, sequence, wish, principal, nowNanos, ended);
    } finally {
      ended.forEach(releases::endClient);
    }
  }

  synchronized void destroySession(SessionId id, Principal principal) throws StateException {
    Session session = sessions.get(id);
    checkMaySpeakFor(session.client(), principal);
    sessions.remove(session);
  }

  synchronized void grow(Session session) {
    sessions.grow(session);
  }

  void destroyClient(long clientId, Principal principal) throws StateException {
    Client client;
    synchronized (this) {
      client = byId(clientId, principal);
      checkMaySpeakFor(client, principal);
      if (hasAnything(client)) {
        throw new StateException(Nfs4Status.CLIENTID_BUSY, "the client has sessions or state");
      }
      unlink(client);
    }
    releases.endClient(client);
  }

  /**
   * Ends the client with states that is late for the longest time.
   *
   * @param node whose it must be; null when anybody's will do
   * @return false when there is none
   */
  boolean isOneEvicted(@Nullable NodeShare node, long nowNanos) {
    Client evicted;
    synchronized (this) {
      evicted =
          late(nowNanos)
              .filter(client -> node == null || client.node() == node)
              .filter(Client::hasStates)
              .findFirst()
              .orElse(null);
      if (evicted == null) {
        return false;
      }
      unlink(evicted);
    }
    releases.endClient(evicted);
    return true;
  }

  /** Ends those that were late for too long, and those that never made a session. */
  void sweep(long nowNanos) {
    List<Client> ended = new ArrayList<>();
    List<Client> present = new ArrayList<>();
    synchronized (this) {
      unconfirmed.values().stream()
          .filter(client -> client.isLate(nowNanos))
          .toList()
          .forEach(this::forgetUnconfirmed);
      for (Client client : List.copyOf(confirmed.values())) {
        if (client.silentNanos(nowNanos) > Math.max(COURTESY_NANOS, leaseNanos)) {
          unlink(client);
          ended.add(client);
        } else if (!client.isLate(nowNanos)) {
          present.add(client);
        }
      }
    }
    ended.forEach(releases::endClient);
    present.forEach(reclaims::restore);
  }

  synchronized Figures figures(Releases held, int files, long nowNanos) {
    return new Figures(
        confirmed.size(),
        unconfirmed.size(),
        (int) late(nowNanos).count(),
        sessions.size(),
        held.opens(),
        held.locks(),
        ranges.taken(),
        files);
  }

  private synchronized SessionCreated createSession(
      long clientId,
      int sequence,
      SessionTable.Wish wish,
      Principal principal,
      long nowNanos,
      List<Client> ended)
      throws StateException {
    Client client = byId(clientId, principal);
    boolean isNew = unconfirmed.get(client.owner().key()) == client;
    Principal introducer = client.principal();
    // Before a repetition is answered, too: the answer names the session.
    if (isNew ? !introducer.isSame(principal) : !principal.maySpeakFor(introducer)) {
      throw new StateException(Nfs4Status.CLID_INUSE, "somebody else introduced the client");
    }
    SessionCreated last = client.lastCreated();
    if (last != null && last.sequence() == sequence) {
      return last;
    }
    if (sequence != client.nextSequence()) {
      throw new StateException(
          Nfs4Status.SEQ_MISORDERED, sequence + " instead of " + client.nextSequence());
    }
    Client before = isNew ? confirmed.get(client.owner().key()) : null;
    if (before != null) {
      checkIsFree(before, principal, nowNanos);
    }
    makeRoom(isNew && before == null, client, nowNanos, ended);
    if (before != null) {
      unlink(before);
      ended.add(before);
    }
    Session session = sessions.make(client, wish, nowNanos);
    if (isNew) {
      unconfirmed.remove(client.owner().key());
      client.node().addUnconfirmed(-1);
      confirmed.put(client.owner().key(), client);
      client.node().addConfirmed(1);
      client.confirm(nowNanos);
    }
    SessionCreated created = new SessionCreated(session, sequence);
    client.created(created);
    return created;
  }

  /** Late clients give way to those that come; if there are none, one has to wait. */
  private void makeRoom(boolean isOneMore, Client client, long nowNanos, List<Client> ended)
      throws StateException {
    while ((isOneMore && confirmed.size() >= bounds.clientsMax()) || !sessions.hasRoom()) {
      ended.add(evicted(client, null, Nfs4Status.DELAY, nowNanos));
    }
    NodeShare node = client.node();
    int mostOfNode = Math.ceilDiv(bounds.clientsMax(), bounds.nodesMin());
    while ((isOneMore && node.confirmed() >= mostOfNode) || !sessions.hasRoom(node)) {
      ended.add(evicted(client, node, Nfs4Status.NOSPC, nowNanos));
    }
  }

  /**
   * Takes a late client out of the tables to make room for another.
   *
   * @param node whose it must be; null when anybody's will do
   * @param ifNone what is said when there is none
   */
  private Client evicted(Client client, @Nullable NodeShare node, Nfs4Status ifNone, long nowNanos)
      throws StateException {
    Client evicted =
        late(nowNanos)
            .filter(other -> other != client && (node == null || other.node() == node))
            .min(Comparator.comparing(Client::hasStates))
            .orElseThrow(() -> new StateException(ifNone, "there are too many clients"));
    unlink(evicted);
    return evicted;
  }

  private NodeShare newNode() {
    return new NodeShare(
        states.share(Math.ceilDiv(bounds.statesMax(), bounds.nodesMin())),
        ranges.share(Math.ceilDiv(bounds.lockRangesMax(), bounds.nodesMin())));
  }

  /** Who only introduced itself gives way to the next, of its own node if that has its part. */
  private void makeRoomForUnconfirmed(@Nullable NodeShare node) {
    int mostOfNode = Math.ceilDiv(bounds.clientsMax(), bounds.nodesMin());
    if (node != null && node.unconfirmed() >= mostOfNode) {
      unconfirmed.values().stream()
          .filter(client -> client.node() == node)
          .findFirst()
          .ifPresent(this::forgetUnconfirmed);
    }
    if (unconfirmed.size() >= bounds.clientsMax()) {
      forgetUnconfirmed(unconfirmed.values().iterator().next());
    }
  }

  /** Those whose lease ran out, the longest ago first. */
  private Stream<Client> late(long nowNanos) {
    return confirmed.values().stream()
        .filter(client -> client.isLate(nowNanos))
        .sorted(Comparator.comparingLong(client -> -client.silentNanos(nowNanos)));
  }

  private Exchanged updated(@Nullable Client known, ClientOwner owner, Principal principal)
      throws StateException {
    if (known == null) {
      throw new StateException(Nfs4Status.NOENT, "no such client made a session");
    }
    if (!known.principal().isSame(principal)) {
      throw new StateException(Nfs4Status.PERM, "somebody else introduced the client");
    }
    if (known.owner().verifier() != owner.verifier()) {
      throw new StateException(Nfs4Status.NOT_SAME, "the client was restarted since");
    }
    return new Exchanged(known.id(), known.nextSequence(), true);
  }

  /** Whether somebody may take a client's name: its principal, or anybody if it is unused. */
  private static void checkIsFree(Client known, Principal principal, long nowNanos)
      throws StateException {
    boolean isInUse = hasAnything(known) && !known.isLate(nowNanos);
    if (isInUse && !known.principal().isSame(principal)) {
      throw new StateException(Nfs4Status.CLID_INUSE, "somebody else goes by this name");
    }
  }

  private static void checkMaySpeakFor(Client client, Principal principal) throws StateException {
    if (!principal.maySpeakFor(client.principal())) {
      throw new StateException(Nfs4Status.WRONG_CRED, "somebody else introduced the client");
    }
  }

  private static boolean hasAnything(Client client) {
    return !client.sessions().isEmpty() || client.hasStates();
  }

  /** The client with this number, which is one only where it introduced itself. */
  private Client byId(long clientId, Principal principal) throws StateException {
    Client client = byId.get(clientId);
    if (client == null || !client.principal().isOfSameNode(principal)) {
      throw new StateException(Nfs4Status.STALE_CLIENTID, "no client " + clientId);
    }
    return client;
  }

  private void forgetUnconfirmed(@Nullable Client client) {
    if (client != null) {
      unlink(client);
    }
  }

  /** Takes a client out of all tables; what it has is still to be released. */
  private void unlink(Client client) {
    NodeShare node = client.node();
    byId.remove(client.id());
    if (confirmed.remove(client.owner().key(), client)) {
      node.addConfirmed(-1);
    }
    if (unconfirmed.remove(client.owner().key(), client)) {
      node.addUnconfirmed(-1);
    }
    List.copyOf(client.sessions().values()).forEach(sessions::remove);
    if (node.isEmpty()) {
      nodes.remove(client.principal().address(), node);
    }
  }
}
