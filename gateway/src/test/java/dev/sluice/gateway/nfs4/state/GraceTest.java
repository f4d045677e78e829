package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is claimed again after a restart. */
class GraceTest {
  private final World world = new World(World.SMALL);

  @Test
  void withoutRecordsThereIsNoGrace() throws StateException {
    assertFalse(world.states.isInGrace(world.now));
    Client client = world.client("a");
    assertRefused(
        Nfs4Status.NO_GRACE, () -> world.reclaim(client, "o", "f", Share.READ, Share.NONE));
  }

  @Test
  void clientsOfTheRunBeforeGetWhatTheyHadAndOthersWait() throws StateException {
    world.client("a");
    world.client("b");
    world.restart();
    assertTrue(world.states.isInGrace(world.now));
    Client a = introduce("a");
    Client stranger = introduce("stranger");
    StateId open = world.reclaim(a, "o", "f", Share.BOTH, Share.NONE);
    LockRequest claim = LockRequest.first(open, World.bytes("l"), "f", 0, 9, true, true);
    assertInstanceOf(Locked.Granted.class, world.states.lock(a, claim, FileLocks::none, world.now));
    assertRefused(Nfs4Status.GRACE, () -> world.lock(a, open, "l", "f", 20, 1));
    assertRefused(Nfs4Status.GRACE, () -> world.open(a, "o", "f", Share.BOTH, Share.NONE));
    assertRefused(
        Nfs4Status.RECLAIM_BAD, () -> world.reclaim(stranger, "o", "g", Share.READ, Share.NONE));
    assertRefused(
        Nfs4Status.GRACE,
        () -> world.states.checkAccess(a, StateId.ANONYMOUS, "f", true, world.now));
    assertRefused(
        Nfs4Status.GRACE,
        () ->
            world.states.testLock(
                a, World.bytes("t"), "f", 0, 1, true, FileLocks::none, world.now));

    world.states.reclaimComplete(a);
    assertRefused(Nfs4Status.COMPLETE_ALREADY, () -> world.states.reclaimComplete(a));
    assertRefused(Nfs4Status.NO_GRACE, () -> world.reclaim(a, "o", "g", Share.READ, Share.NONE));
    world.states.reclaimComplete(stranger);
    assertTrue(world.states.isInGrace(world.now), "b may still come");
    world.states.reclaimComplete(introduce("b"));
    assertFalse(world.states.isInGrace(world.now), "all came");
    world.open(stranger, "o", "f", Share.READ, Share.NONE);
  }

  @Test
  void claimsThatConflictAreRefused() throws StateException {
    world.client("a");
    world.client("b");
    world.restart();
    Client a = introduce("a");
    Client b = introduce("b");
    StateId openOfA = world.reclaim(a, "o", "f", Share.BOTH, Share.NONE);
    StateId openOfB = world.reclaim(b, "o", "f", Share.BOTH, Share.NONE);
    LockRequest first = LockRequest.first(openOfA, World.bytes("l"), "f", 0, 9, true, true);
    world.states.lock(a, first, FileLocks::none, world.now);
    LockRequest second = LockRequest.first(openOfB, World.bytes("l"), "f", 5, 9, true, true);
    assertRefused(
        Nfs4Status.RECLAIM_CONFLICT,
        () -> world.states.lock(b, second, FileLocks::none, world.now));
    assertEquals(1, world.figures().locks());
  }

  @Test
  void graceEndsAfterALeaseAndWhoDidNotComeMayNotClaimNextTime() throws StateException {
    world.client("a");
    world.client("b");
    world.restart();
    world.states.reclaimComplete(introduce("a"));
    Client slow = introduce("b");
    world.reclaim(slow, "o", "f", Share.READ, Share.NONE);
    world.pass(World.LEASE);
    assertFalse(world.states.isInGrace(world.now));
    assertEquals(Set.of("a"), world.records.names());
    assertRefused(Nfs4Status.NO_GRACE, () -> world.reclaim(slow, "o", "g", Share.READ, Share.NONE));
    world.restart();
    assertTrue(world.states.isInGrace(world.now));
    Client again = introduce("b");
    assertRefused(
        Nfs4Status.RECLAIM_BAD, () -> world.reclaim(again, "o", "f", Share.READ, Share.NONE));
  }

  @Test
  void aSecondRestartWithinTheGraceLosesNobody() throws StateException {
    world.client("a");
    world.restart();
    world.reclaim(introduce("a"), "o", "f", Share.READ, Share.NONE);
    world.restart();
    world.reclaim(introduce("a"), "o", "f", Share.READ, Share.NONE);
  }

  @Test
  void whoNeverSaysThatItHasClaimedAllWaitsForALeaseAndNotForEver() throws StateException {
    Client silent = introduce("a");
    assertRefused(Nfs4Status.GRACE, () -> world.open(silent, "o", "f", Share.READ, Share.NONE));
    world.pass(World.LEASE + 1);
    world.renew(silent);
    world.open(silent, "o", "f", Share.READ, Share.NONE);
    assertEquals(Set.of("a"), world.records.names());
  }

  @Test
  void nobodyIsServedWhoCouldNotClaimItAfterwards() throws StateException {
    Client client = introduce("a");
    world.records.isBroken = true;
    assertRefused(Nfs4Status.DELAY, () -> world.states.reclaimComplete(client));
    world.records.isBroken = false;
    world.states.reclaimComplete(client);
    assertEquals(Set.of("a"), world.records.names());
  }

  @Test
  void graceEndsThoughRecordsCannotBeRemovedAndTheyAreLater() throws StateException {
    world.client("a");
    world.restart();
    world.records.isBroken = true;
    world.pass(World.LEASE);
    assertFalse(world.states.isInGrace(world.now));
    assertEquals(Set.of("a"), world.records.names());
    world.records.isBroken = false;
    world.states.sweep(world.now);
    assertEquals(Set.of(), world.records.names());
  }

  @Test
  void aStateOfAnEarlierRunIsNone() throws StateException {
    Client before = world.client("a");
    StateId open = world.open(before, "o", "f", Share.READ, Share.NONE);
    world.restart();
    Client after = introduce("a");
    world.reclaim(after, "o", "f", Share.READ, Share.NONE);
    assertEquals(Nfs4Status.BAD_STATEID, world.states.test(after, open));
    assertRefused(Nfs4Status.BAD_STATEID, () -> world.states.close(after, open));
  }

  private Client introduce(String name) throws StateException {
    return world.session(world.exchange(name, 1)).client();
  }
}
