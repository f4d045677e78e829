package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import org.junit.jupiter.api.Test;

/** Clients whose lease ran out. */
class CourtesyTest {
  private static final int SOME_REVOKED = 0x10;

  private final World world = new World(World.SMALL);

  @Test
  void aLateClientFindsAllAsItWasIfNobodyNeededIt() throws StateException {
    Session session = world.session(world.exchange("a", 1));
    Client late = session.client();
    world.states.reclaimComplete(late);
    StateId open = world.open(late, "o", "f", Share.BOTH, Share.BOTH);
    world.pass(World.DAY - 1);
    world.states.sweep(world.now);
    assertEquals(1, world.figures().courtesy());
    assertInstanceOf(SlotUse.First.class, session.begin(0, 1, true, world.now));
    assertEquals(0, world.figures().courtesy());
    assertEquals(0, world.states.statusFlags(late));
    assertNotNull(world.states.checkAccess(late, open, "f", true, world.now));
  }

  @Test
  void onlyASequenceThatSucceedsRenewsTheLease() throws StateException {
    Session session = world.session(world.exchange("a", 1));
    world.pass(World.LEASE + 1);
    assertRefused(Nfs4Status.SEQ_MISORDERED, () -> session.begin(0, 7, true, world.now));
    assertRefused(Nfs4Status.BADSLOT, () -> session.begin(99, 1, true, world.now));
    assertEquals(1, world.figures().courtesy());
  }

  @Test
  void whoNeedsAnOpenGetsItFromALateClientAlone() throws StateException {
    Client late = world.client("late");
    StateId denying = world.open(late, "o", "f", Share.READ, Share.WRITE);
    StateId other = world.open(late, "o", "g", Share.BOTH, Share.BOTH);
    world.pass(World.LEASE);
    Client newcomer = world.client("newcomer");
    assertRefused(
        Nfs4Status.SHARE_DENIED, () -> world.open(newcomer, "o", "f", Share.WRITE, Share.NONE));
    assertRefused(Nfs4Status.LOCKED, () -> writeAnonymously("f"));
    world.pass(1);
    world.open(newcomer, "o", "f", Share.WRITE, Share.NONE);
    assertFalse(world.records.names().contains("late"), "it could claim what another has had");
    assertEquals(2, world.holding.get());

    world.renew(late);
    assertEquals(SOME_REVOKED, world.states.statusFlags(late));
    assertEquals(Nfs4Status.EXPIRED, world.states.test(late, denying));
    assertRefused(
        Nfs4Status.EXPIRED, () -> world.states.checkAccess(late, denying, "f", false, world.now));
    assertEquals(Nfs4Status.OK, world.states.test(late, other), "nobody needed that");
    world.states.sweep(world.now);
    assertFalse(world.records.names().contains("late"));

    world.states.free(late, denying);
    assertEquals(0, world.states.statusFlags(late));
    assertEquals(Nfs4Status.BAD_STATEID, world.states.test(late, denying));
    world.states.sweep(world.now);
    assertTrue(world.records.names().contains("late"), "it knows what it has");
  }

  @Test
  void anAnonymousWriterPassesALateClient() throws StateException {
    Client late = world.client("late");
    StateId denying = world.open(late, "o", "f", Share.READ, Share.WRITE);
    world.pass(World.LEASE + 1);
    writeAnonymously("f");
    assertEquals(Nfs4Status.EXPIRED, world.states.test(late, denying));
  }

  @Test
  void whoNeedsALockGetsItFromALateClientAlone() throws StateException {
    Client late = world.client("late");
    StateId theirOpen = world.open(late, "o", "f", Share.BOTH, Share.NONE);
    StateId theirs = world.locked(late, theirOpen, "l", "f", 0, 10);
    world.pass(World.LEASE);
    Client newcomer = world.client("newcomer");
    StateId open = world.open(newcomer, "o", "f", Share.BOTH, Share.NONE);
    assertInstanceOf(Denied.class, world.lock(newcomer, open, "l", "f", 5, 1));
    world.pass(1);
    assertNull(
        world.states.testLock(
            newcomer, World.bytes("l"), "f", 5, 1, true, FileLocks::none, world.now));
    assertEquals(Nfs4Status.OK, world.states.test(late, theirs), "asking takes nothing");
    world.locked(newcomer, open, "l", "f", 5, 1);
    assertEquals(Nfs4Status.EXPIRED, world.states.test(late, theirs));
    assertEquals(Nfs4Status.OK, world.states.test(late, theirOpen));
    assertEquals(1, world.figures().lockRanges());
  }

  @Test
  void aRecordThatCannotBeRemovedKeepsTheLock() throws StateException {
    Client late = world.client("late");
    StateId denying = world.open(late, "o", "f", Share.READ, Share.WRITE);
    Client newcomer = world.client("newcomer");
    world.pass(World.LEASE + 1);
    world.renew(newcomer);
    world.records.isBroken = true;
    assertRefused(Nfs4Status.DELAY, () -> world.open(newcomer, "o", "f", Share.WRITE, Share.NONE));
    assertEquals(Nfs4Status.OK, world.states.test(late, denying));
    world.records.isBroken = false;
    world.open(newcomer, "o", "f", Share.WRITE, Share.NONE);
    assertFalse(world.records.names().contains("late"));
  }

  @Test
  void courtesyEndsAfterADay() throws StateException {
    Session session = world.session(world.exchange("a", 1));
    world.states.reclaimComplete(session.client());
    world.open(session.client(), "o", "f", Share.BOTH, Share.BOTH);
    world.exchange("b", 1);
    world.pass(World.DAY + 1);
    world.states.sweep(world.now);
    assertEquals(new Figures(0, 0, 0, 0, 0, 0, 0, 0), world.figures());
    assertEquals(0, world.holding.get());
    assertTrue(world.records.names().isEmpty());
    assertRefused(Nfs4Status.BADSESSION, () -> session.begin(0, 1, true, world.now));
  }

  private void writeAnonymously(String file) throws StateException {
    world.states.checkAccess(null, StateId.ANONYMOUS, file, true, world.now);
  }
}
