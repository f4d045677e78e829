package dev.sluice.gateway.nfs4.state;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.SessionId;
import dev.sluice.nfs.nfs4.StateId;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All that a server remembers of its clients. A client whose lease ran out keeps what it has until
 * somebody is in need of it, or a day has passed: what it loses is then told to it, if it comes
 * back.
 *
 * <p>Files are named by objects that are equal when the files are the same. What the caller brings
 * (what an open holds, the file system's locks) is asked while the file is locked here: it must not
 * call back.
 */
public final class Nfs4States {
  private static final int EXPIRED_SOME_STATE_REVOKED = 0x10;

  private final StateTable table;
  private final FileTable files = new FileTable();
  private final Reclaims reclaims;
  private final Releases releases;
  private final SessionTable sessions;
  private final ClientTable clients;
  private final Opens opens;
  private final Locks locks;

  /**
   * Remembers nothing but the records: if there are some, a time of grace begins, which is over
   * after a lease, or when all who are in the records have completed their claims.
   *
   * @param leaseNanos how long a client may be silent
   * @param records who may claim its locks again
   * @param server a number of this run of the server: neither 0 nor -1, and never twice
   */
  public Nfs4States(
      StateBounds bounds, long leaseNanos, ClientRecords records, int server, long nowNanos) {
    if (server == 0 || server == -1) {
      throw new IllegalArgumentException("expected a number that is not in special stateids");
    }
    table = new StateTable(server, bounds.statesMax());
    reclaims = new Reclaims(records, leaseNanos, nowNanos);
    releases = new Releases(table, files, reclaims);
    sessions = new SessionTable(bounds);
    clients = new ClientTable(bounds, leaseNanos, server, releases, reclaims, sessions);
    Room room = new Room(clients);
    opens = new Opens(table, files, releases, reclaims, room);
    locks = new Locks(table, files, releases, reclaims, room);
  }

  /**
   * EXCHANGE_ID.
   *
   * @throws StateException CLID_INUSE; for an update NOENT, PERM or NOT_SAME
   */
  public Exchanged exchangeId(
      ClientOwner owner, Principal principal, boolean isUpdate, long nowNanos)
      throws StateException {
    return clients.exchangeId(owner, principal, isUpdate, nowNanos);
  }

  /**
   * CREATE_SESSION. A repetition has the same answer. Sizes too small to be of use are for the
   * caller to refuse, before.
   *
   * @throws StateException STALE_CLIENTID, SEQ_MISORDERED, CLID_INUSE, NOSPC, or DELAY when there
   *     is no room
   */
  public SessionCreated createSession(
      long clientId,
      int sequence,
      int slotsWanted,
      int maxRequestBytes,
      int maxReplyBytes,
      int maxCachedReplyBytes,
      int maxOperations,
      Principal principal,
      long nowNanos)
      throws StateException {
    SessionTable.Wish wish =
        new SessionTable.Wish(
            slotsWanted, maxRequestBytes, maxReplyBytes, maxCachedReplyBytes, maxOperations);
    return clients.createSession(clientId, sequence, wish, principal, nowNanos);
  }

  /** The session with this name; BADSESSION when there is none. */
  public Session session(SessionId id) throws StateException {
    return sessions.get(id);
  }

  /** Whether there is a session with this name. */
  public boolean hasSession(SessionId id) {
    return sessions.contains(id);
  }

  /** Gives a session as many slots as it may have, as far as there is memory for them. */
  public void grow(Session session) {
    clients.grow(session);
  }

  /** DESTROY_SESSION; BADSESSION when there is none, WRONG_CRED when it is a stranger's. */
  public void destroySession(SessionId id, Principal principal) throws StateException {
    clients.destroySession(id, principal);
  }

  /**
   * DESTROY_CLIENTID; CLIENTID_BUSY while it has sessions or state, STALE_CLIENTID, WRONG_CRED when
   * it is a stranger's.
   */
  public void destroyClient(long clientId, Principal principal) throws StateException {
    clients.destroyClient(clientId, principal);
  }

  /** RECLAIM_COMPLETE of all file systems; COMPLETE_ALREADY the second time. */
  public void reclaimComplete(Client client) throws StateException {
    if (client.isReclaimComplete()) {
      throw new StateException(Nfs4Status.COMPLETE_ALREADY, "that was said before");
    }
    reclaims.complete(client);
  }

  /**
   * Whether a client may open something new now, or claim something from before a restart; to be
   * asked before anything is made of it.
   *
   * @throws StateException GRACE, NO_GRACE, RECLAIM_BAD, DELAY, DEADSESSION
   */
  public void checkAdmission(Client client, boolean isReclaim, long nowNanos)
      throws StateException {
    reclaims.admit(client, isReclaim, nowNanos);
  }

  /** Whether clients claim what they had before a restart, and nobody gets anything new. */
  public boolean isInGrace(long nowNanos) {
    return reclaims.isInGrace(nowNanos);
  }

  /** What SEQUENCE tells a client, bits of SEQ4_STATUS_*; 0 when all is well. */
  public int statusFlags(Client client) {
    return client.revokedCount() > 0 ? EXPIRED_SOME_STATE_REVOKED : 0;
  }

  /**
   * OPEN, after the file was found or made. An owner that has the file open already may do more
   * with it from now on.
   *
   * @param access {@link Share} bits, at least one
   * @param deny {@link Share} bits
   * @param held asked once for a new open; closed when it ends, perhaps while others still use it
   * @throws StateException SHARE_DENIED, INVAL, GRACE, NO_GRACE, RECLAIM_BAD, NOSPC, DELAY,
   *     DEADSESSION
   */
  public Opened open(
      Client client,
      byte[] openOwner,
      Object file,
      int access,
      int deny,
      boolean isReclaim,
      Supplier<? extends AutoCloseable> held,
      long nowNanos)
      throws StateException {
    OwnerKey owner = new OwnerKey(client, new Bytes(openOwner.clone()));
    return opens.open(owner, file, access, deny, isReclaim, held, nowNanos);
  }

  /** What a client has open; BAD_STATEID, OLD_STATEID, EXPIRED. */
  public Opening openState(Client client, StateId id) throws StateException {
    return opens.openState(client, id);
  }

  /** OPEN_DOWNGRADE; INVAL when it is not some of what the owner opened the file with. */
  public StateId downgrade(Client client, StateId id, int access, int deny) throws StateException {
    return opens.downgrade(client, id, access, deny);
  }

  /** CLOSE. What is locked through the open is unlocked. */
  public void close(Client client, StateId id) throws StateException {
    opens.close(client, id);
  }

  /**
   * Whether a READ, a WRITE or a SETATTR of the size may be done by a stateid of an open, of locks,
   * or a special one. Takes no lock and leaves no garbage for those of opens and locks.
   *
   * @param client null when any client's will do
   * @return what the open holds; null for special stateids
   * @throws StateException OPENMODE, LOCKED, GRACE, BAD_STATEID, OLD_STATEID, EXPIRED
   */
  public @Nullable AutoCloseable checkAccess(
      @Nullable Client client, StateId id, Object file, boolean isWrite, long nowNanos)
      throws StateException {
    return opens.checkAccess(client, id, file, isWrite, nowNanos);
  }

  /**
   * LOCK: at once or not at all.
   *
   * @param fileLocks asked when the owner has no locks on the file yet
   * @throws StateException INVAL, OPENMODE, GRACE, NO_GRACE, RECLAIM_BAD, RECLAIM_CONFLICT,
   *     SERVERFAULT and DELAY when there is no room, BAD_STATEID, OLD_STATEID, EXPIRED, DEADSESSION
   */
  public Locked lock(
      Client client, LockRequest request, Supplier<? extends FileLocks> fileLocks, long nowNanos)
      throws StateException {
    return locks.lock(client, request, fileLocks, nowNanos);
  }

  /**
   * LOCKT.
   *
   * @param fileLocks asked when the owner has no locks on the file, and closed at once
   * @return what is in the way; null when nothing is
   */
  public @Nullable Denied testLock(
      Client client,
      byte[] lockOwner,
      Object file,
      long offset,
      long length,
      boolean isExclusive,
      Supplier<? extends FileLocks> fileLocks,
      long nowNanos)
      throws StateException {
    OwnerKey owner = new OwnerKey(client, new Bytes(lockOwner.clone()));
    Range range = Range.of(offset, length, isExclusive);
    return locks.test(owner, file, range, fileLocks, nowNanos);
  }

  /** LOCKU. Bytes that are not locked may be among them. */
  public StateId unlock(Client client, StateId id, Object file, long offset, long length)
      throws StateException {
    return locks.unlock(client, id, file, Range.of(offset, length, false));
  }

  /** TEST_STATEID of one. */
  public Nfs4Status test(Client client, StateId id) {
    State state = table.find(client, id);
    return state == null ? Nfs4Status.BAD_STATEID : state.check(id);
  }

  /** FREE_STATEID; LOCKS_HELD for an open, and for locks while there are some. */
  public void free(Client client, StateId id) throws StateException {
    State state = table.find(client, id);
    if (state == null || state.life() != State.Life.REVOKED) {
      locks.free(client, id);
    } else {
      releases.end(state);
    }
  }

  /** To be called now and then: ends those that were late for too long. */
  public void sweep(long nowNanos) {
    reclaims.isInGrace(nowNanos);
    clients.sweep(nowNanos);
    reclaims.sweep();
  }

  /** Lets go of everything that clients have, as the end of the process would. */
  public void letGo() {
    table.all().forEach(releases::end);
  }

  /** How many requests clients can have under way together. */
  public int slots() {
    return sessions.slots();
  }

  /** How many slots are kept by requests that wait. */
  public int slotsKept() {
    return sessions.slotsKept();
  }

  public Figures figures(long nowNanos) {
    return clients.figures(releases, files.size(), nowNanos);
  }
}
