package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that do their worst: every table stays bounded, and others keep what they have. */
class BoundsTest {
  private final World world = new World(World.SMALL);

  @Test
  void aHundredThousandIntroductionsThrowNobodyOut() throws StateException {
    Client old = world.client("old");
    StateId open = world.open(old, "o", "f", Share.BOTH, Share.NONE);
    for (int i = 0; i < 100_000; i++) {
      world.exchange("attacker " + i, i);
    }
    assertEquals(World.SMALL.clientsMax(), world.figures().unconfirmed());
    assertNotNull(world.states.checkAccess(old, open, "f", true, world.now));
    world.client("newcomer");
  }

  @Test
  void newClientsWaitUntilOneIsLate() throws StateException {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < World.SMALL.clientsMax(); i++) {
      clients.add(world.client("client " + i));
    }
    world.open(clients.get(0), "o", "f", Share.BOTH, Share.NONE);
    assertRefused(Nfs4Status.DELAY, () -> world.client("newcomer"));
    world.pass(1);
    world.renew(clients.get(1));
    world.pass(World.LEASE + 1);
    for (Client client : clients.subList(2, clients.size())) {
      world.renew(client);
    }
    world.client("newcomer");
    assertEquals(World.SMALL.clientsMax(), world.figures().clients());
    assertEquals(1, world.figures().opens(), "who has nothing goes first");
    world.client("another");
    assertEquals(0, world.figures().opens());
    assertRefused(Nfs4Status.DELAY, () -> world.client("a third"));
  }

  @Test
  void aClientHasSoManySessionsAndLosesTheOneItForgot() throws StateException {
    Exchanged client = world.exchange("a", 1);
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < World.SMALL.sessionsPerClientMax(); i++) {
      sessions.add(world.session(client.clientId(), 1 + i));
    }
    int next = 1 + sessions.size();
    assertRefused(Nfs4Status.NOSPC, () -> world.session(client.clientId(), next));
    world.pass(World.LEASE + 1);
    sessions.get(0).begin(0, 1, true, world.now);
    sessions.get(2).begin(0, 1, true, world.now);
    world.session(client.clientId(), next);
    assertRefused(Nfs4Status.BADSESSION, () -> world.states.session(sessions.get(1).id()));
    assertEquals(World.SMALL.sessionsPerClientMax(), world.figures().sessions());
  }

  @Test
  void theMemoryOfSlotsIsBoundedAndThereIsSomeForTheNext() throws StateException {
    StateBounds most = StateBounds.DEFAULTS;
    StateBounds bounds =
        new StateBounds(
            most.clientsMax(),
            most.sessionsPerClientMax(),
            most.slotsPerSessionMax(),
            most.repliesBytesMax(),
            most.slotsBytesMax(),
            most.statesPerClientMax(),
            most.statesMax(),
            most.lockRangesPerClientMax(),
            most.lockRangesMax(),
            1);
    World wide = new World(bounds);
    long bytes = 0;
    int refused = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < bounds.clientsMax(); i++) {
      Exchanged client = wide.exchange("client " + i, 1);
      for (int j = 0; j < bounds.sessionsPerClientMax(); j++) {
        try {
          Session session =
              wide.states
                  .createSession(
                      client.clientId(), 1 + j, 1 << 30, 1, 1, 1 << 30, 8, World.ROOT, wide.now)
                  .session();
          least = Math.min(least, session.slots());
          wide.states.grow(session);
          bytes += session.bytes();
          if (i == 0 && j == 0) {
            assertEquals(bounds.slotsPerSessionMax(), session.slots());
            assertEquals(bounds.repliesBytesMax(), session.maxCachedReplyBytes());
          }
        } catch (StateException e) {
          assertEquals(Nfs4Status.DELAY, e.status());
          refused++;
          break;
        }
      }
    }
    assertTrue(bytes <= bounds.slotsBytesMax(), bytes + " bytes");
    assertEquals(1, least);
    assertTrue(refused > 0);
    wide.pass(World.LEASE + 1);
    wide.client("newcomer");
  }

  @Test
  void opensAreBoundedForOneAndForAll() throws StateException {
    Client greedy = world.client("greedy");
    int most = World.SMALL.statesPerClientMax();
    for (int i = 0; i < most; i++) {
      world.open(greedy, "o", i, Share.READ, Share.NONE);
    }
    for (int i = 0; i < 10_000; i++) {
      int file = i;
      assertRefused(Nfs4Status.NOSPC, () -> world.open(greedy, "n", file, Share.READ, Share.NONE));
    }
    assertEquals(most, world.figures().opens());
    assertEquals(most, world.holding.get());

    Client second = world.client("second");
    for (int i = 0; i < World.SMALL.statesMax() - most; i++) {
      world.open(second, "o", i, Share.READ, Share.NONE);
    }
    Client third = world.client("third");
    assertRefused(Nfs4Status.DELAY, () -> world.open(third, "o", "f", Share.READ, Share.NONE));
    world.pass(World.LEASE + 1);
    world.renew(second);
    world.renew(third);
    StateId open = world.open(third, "o", "f", Share.BOTH, Share.NONE);
    assertEquals(2, world.figures().clients(), "who was late gave way");
    assertEquals(World.SMALL.statesMax() - most + 1, world.figures().opens());
    world.states.close(third, open);
  }

  @Test
  void aNodeHasItsPartAndOthersTheRest() throws StateException {
    World apart = new World(new StateBounds(8, 3, 16, 256, 1 << 20, 64, 128, 32, 64, 4));
    Client first = apart.client("first");
    Client second = apart.client("second");
    assertRefused(Nfs4Status.NOSPC, () -> apart.client("third"));
    for (int i = 0; i < 128 / 4; i++) {
      apart.open(first, "o", i, Share.READ, Share.NONE);
    }
    assertRefused(Nfs4Status.NOSPC, () -> apart.open(second, "o", "f", Share.READ, Share.NONE));

    Principal elsewhere = new Principal("elsewhere", "root", false);
    for (int i = 0; i < 100; i++) {
      apart.exchange("attacker " + i, i);
    }
    Exchanged other = apart.states.exchangeId(World.owner("other", 1), elsewhere, false, apart.now);
    for (int i = 0; i < 100; i++) {
      apart.exchange("attacker " + i, i);
    }
    assertEquals(8 / 4 + 1, apart.figures().unconfirmed());
    Client there =
        apart
            .states
            .createSession(
                other.clientId(), other.sequence(), 4, 4_096, 4_096, 256, 8, elsewhere, apart.now)
            .session()
            .client();
    apart.states.reclaimComplete(there);
    StateId open = apart.open(there, "o", 1, Share.READ, Share.NONE);

    apart.pass(World.LEASE + 1);
    apart.renew(second);
    apart.open(second, "o", "f", Share.READ, Share.NONE);
    assertNotNull(
        apart.states.checkAccess(there, open, 1, false, apart.now), "late, and elsewhere");
    assertEquals(2, apart.figures().clients(), "the late one of the same node gave way");
  }

  @Test
  void aLongNameCountsForSeveral() throws StateException {
    Client client = world.client("a");
    byte[] name = new byte[1_024];
    int opened = 0;
    try {
      for (; opened < 1_000; opened++) {
        world.states.open(
            client, name, opened, Share.READ, Share.NONE, false, world::held, world.now);
      }
    } catch (StateException e) {
      assertEquals(Nfs4Status.NOSPC, e.status());
    }
    assertEquals(World.SMALL.statesPerClientMax() / 5, opened);
  }

  @Test
  void rangesAreBoundedForLocksAndForUnlocks() throws StateException {
    Client client = world.client("a");
    StateId open = world.open(client, "o", "f", Share.BOTH, Share.NONE);
    StateId locks = world.locked(client, open, "l", "f", 0, 1_000_000);
    int unlocked = 0;
    for (int i = 0; i < 10_000; i++) {
      try {
        locks = world.states.unlock(client, locks, "f", 2L * i + 1, 1);
        unlocked++;
      } catch (StateException e) {
        assertEquals(Nfs4Status.SERVERFAULT, e.status());
      }
    }
    assertEquals(World.SMALL.lockRangesPerClientMax() - 1, unlocked);
    assertEquals(World.SMALL.lockRangesPerClientMax(), world.figures().lockRanges());
    assertRefused(Nfs4Status.SERVERFAULT, () -> world.lock(client, open, "l", "f", 2_000_000, 1));
    world.states.unlock(client, locks, "f", 0, -1);
    assertEquals(0, world.figures().lockRanges());
    for (int i = 0; i < 100_000; i++) {
      try {
        world.lock(client, open, "l" + i, "f", 3L * i, 1);
      } catch (StateException e) {
        assertEquals(Nfs4Status.SERVERFAULT, e.status());
      }
    }
    assertTrue(world.figures().lockRanges() <= World.SMALL.lockRangesPerClientMax());
    assertTrue(world.figures().locks() <= World.SMALL.statesPerClientMax());
  }

  @Test
  void whatCannotBeOpenedLeavesNothing() throws StateException {
    Client client = world.client("a");
    for (int i = 0; i < 1_000; i++) {
      int file = i;
      assertThrows(
          IllegalStateException.class,
          () ->
              world.states.open(
                  client,
                  World.bytes("o"),
                  file,
                  Share.READ,
                  Share.NONE,
                  false,
                  () -> {
                    throw new IllegalStateException("no such file");
                  },
                  world.now));
    }
    assertEquals(new Figures(1, 0, 0, 1, 0, 0, 0, 0), world.figures());
    world.open(client, "o", "f", Share.READ, Share.NONE);
  }
}
