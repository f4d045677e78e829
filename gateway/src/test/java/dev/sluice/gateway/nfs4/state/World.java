package dev.sluice.gateway.nfs4.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.function.Executable;

/** A server's memory with a clock that is moved by hand. */
final class World {
  static final long SECOND = 1_000_000_000;
  static final long LEASE = 90 * SECOND;
  static final long DAY = 24 * 60 * 60 * SECOND;
  static final Principal ROOT = new Principal("node", "root", false);

  /** Few of everything, so that bounds are met. */
  static final StateBounds SMALL = new StateBounds(8, 3, 16, 256, 1 << 20, 64, 128, 32, 64, 1);

  final Records records;
  final AtomicInteger holding = new AtomicInteger();
  private final StateBounds bounds;
  private int server = 1;
  Nfs4States states;
  long now = 5;

  World(StateBounds bounds) {
    this(bounds, new Records());
  }

  World(StateBounds bounds, Records records) {
    this.bounds = bounds;
    this.records = records;
    this.states = new Nfs4States(bounds, LEASE, records, server, now);
  }

  /** Forgets all but the records. */
  void restart() {
    states = new Nfs4States(bounds, LEASE, records, ++server, now);
  }

  void pass(long nanos) {
    now += nanos;
  }

  /** Records in memory, which outlive a server's. */
  static final class Records implements ClientRecords {
    private final Set<String> names = new LinkedHashSet<>();
    boolean isBroken;

    @Override
    public synchronized List<byte[]> load() {
      List<byte[]> all = new ArrayList<>();
      names.forEach(name -> all.add(bytes(name)));
      return all;
    }

    @Override
    public synchronized void add(byte[] ownerId) {
      fail();
      names.add(new String(ownerId, StandardCharsets.UTF_8));
    }

    @Override
    public synchronized void remove(byte[] ownerId) {
      fail();
      names.remove(new String(ownerId, StandardCharsets.UTF_8));
    }

    synchronized Set<String> names() {
      return Set.copyOf(names);
    }

    private void fail() {
      if (isBroken) {
        throw new java.io.UncheckedIOException(new java.io.IOException("no space"));
      }
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static ClientOwner owner(String name, long verifier) {
    return new ClientOwner(bytes(name), verifier);
  }

  Exchanged exchange(String name, long verifier) throws StateException {
    return states.exchangeId(owner(name, verifier), ROOT, false, now);
  }

  Session session(Exchanged client) throws StateException {
    return session(client.clientId(), client.sequence());
  }

  Session session(long clientId, int sequence) throws StateException {
    return states.createSession(clientId, sequence, 4, 4_096, 4_096, 256, 8, ROOT, now).session();
  }

  /** A client with a session that has nothing to claim. */
  Client client(String name) throws StateException {
    Client client = session(exchange(name, 1)).client();
    states.reclaimComplete(client);
    return client;
  }

  /** The client speaks. */
  void renew(Client client) {
    client.renew(now);
  }

  AutoCloseable held() {
    holding.incrementAndGet();
    return holding::decrementAndGet;
  }

  StateId open(Client client, String owner, Object file, int access, int deny)
      throws StateException {
    return states.open(client, bytes(owner), file, access, deny, false, this::held, now).id();
  }

  StateId reclaim(Client client, String owner, Object file, int access, int deny)
      throws StateException {
    return states.open(client, bytes(owner), file, access, deny, true, this::held, now).id();
  }

  Locked lock(Client client, StateId open, String owner, Object file, long offset, long length)
      throws StateException {
    LockRequest request = LockRequest.first(open, bytes(owner), file, offset, length, true, false);
    return states.lock(client, request, FileLocks::none, now);
  }

  StateId locked(Client client, StateId open, String owner, Object file, long offset, long length)
      throws StateException {
    Locked locked = lock(client, open, owner, file, offset, length);
    if (locked instanceof Locked.Granted granted) {
      return granted.id();
    }
    throw new AssertionError("denied");
  }

  Figures figures() {
    return states.figures(now);
  }

  static void assertRefused(Nfs4Status expected, Executable action) {
    assertEquals(expected, assertThrows(StateException.class, action).status());
  }
}
