package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.testkit.SeededCases;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which stateid is good for what. */
class StateIdChecksTest {
  private final World world = new World(World.SMALL);
  private final Client client;
  private final Client other;
  private final StateId first;
  private final StateId open;
  private final StateId locks;

  StateIdChecksTest() throws StateException {
    client = world.client("a");
    other = world.client("b");
    first = world.open(client, "o", "f", Share.READ, Share.NONE);
    open = world.open(client, "o", "f", Share.BOTH, Share.NONE);
    locks = world.locked(client, open, "l", "f", 0, 1);
  }

  @Test
  void ofAnOpenAndOfLocksOneReadsAndWritesTheSameFile() throws StateException {
    AutoCloseable held = check(client, open, "f", true);
    assertNotNull(held);
    assertSame(held, check(client, locks, "f", true));
    assertSame(held, check(null, locks, "f", false));
    StateId whatever = new StateId(0, open.server(), open.number());
    assertSame(held, check(client, whatever, "f", true));
    assertNull(check(client, StateId.ANONYMOUS, "f", true));
    assertNull(check(client, StateId.READ_BYPASS, "f", true));
  }

  @Test
  void oldOnesAndThoseOfOthersAreRefused() {
    assertRefused(Nfs4Status.OLD_STATEID, () -> check(client, first, "f", false));
    assertEquals(Nfs4Status.OLD_STATEID, world.states.test(client, first));
    StateId next = new StateId(open.sequence() + 1, open.server(), open.number());
    assertRefused(Nfs4Status.BAD_STATEID, () -> check(client, next, "f", false));
    assertRefused(Nfs4Status.BAD_STATEID, () -> check(other, open, "f", false));
    assertRefused(Nfs4Status.BAD_STATEID, () -> check(client, open, "g", false));
    assertRefused(Nfs4Status.BAD_STATEID, () -> check(client, StateId.CURRENT, "f", false));
    assertRefused(Nfs4Status.BAD_STATEID, () -> check(client, StateId.INVALID, "f", false));
    assertEquals(Nfs4Status.BAD_STATEID, world.states.test(other, open));
    assertEquals(Nfs4Status.OK, world.states.test(client, open));
  }

  @Test
  void oneIsNotTheOther() {
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.close(client, locks));
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.unlock(client, open, "f", 0, 1));
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.unlock(client, locks, "g", 0, 1));
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.lock(client, locks, "l", "f", 0, 1));
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.lock(client, open, "l", "g", 0, 1));
    assertRefused(
        Nfs4Status.BAD_STATEID, () -> world.states.downgrade(client, locks, Share.READ, 0));
    assertRefused(Nfs4Status.INVAL, () -> world.states.downgrade(client, open, 0, 0));
    assertRefused(Nfs4Status.INVAL, () -> world.open(client, "o", "f", 4, Share.NONE));
    assertRefused(Nfs4Status.INVAL, () -> world.open(client, "o", "f", Share.READ, 4));
  }

  @Test
  void onlyWhatIsNoLongerNeededIsFreed() throws StateException {
    assertRefused(Nfs4Status.LOCKS_HELD, () -> world.states.free(client, open));
    assertRefused(Nfs4Status.LOCKS_HELD, () -> world.states.free(client, locks));
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.free(other, locks));
    StateId unlocked = world.states.unlock(client, locks, "f", 0, 1);
    assertRefused(Nfs4Status.OLD_STATEID, () -> world.states.free(client, locks));
    world.states.free(client, unlocked);
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.free(client, unlocked));
    assertEquals(0, world.figures().locks());
  }

  @Test
  void lockingNeedsAnOpenOfItsKind() throws StateException {
    StateId reading = world.open(client, "r", "g", Share.READ, Share.NONE);
    assertRefused(Nfs4Status.OPENMODE, () -> world.lock(client, reading, "l", "g", 0, 1));
    StateId writing = world.open(client, "w", "g", Share.WRITE, Share.NONE);
    LockRequest shared = LockRequest.first(writing, World.bytes("l"), "g", 0, 1, false, false);
    assertRefused(
        Nfs4Status.OPENMODE, () -> world.states.lock(client, shared, FileLocks::none, world.now));
  }

  @Test
  void madeUpOnesNameNothing() {
    SeededCases.forAll(
        2_000,
        random -> {
          int server = random.nextBoolean() ? open.server() : random.nextInt();
          long number = random.nextBoolean() ? random.nextLong() : random.nextInt(200);
          StateId id = new StateId(random.nextInt(4), server, number);
          assertEquals(Nfs4Status.BAD_STATEID, world.states.test(client, id));
          assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.free(client, id));
        });
  }

  private @Nullable AutoCloseable check(
      @Nullable Client by, StateId id, String file, boolean isWrite) throws StateException {
    return world.states.checkAccess(by, id, file, isWrite, world.now);
  }
}
