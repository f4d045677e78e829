package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.ROOT;
import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.nfs.nfs4.Nfs4Status;
import org.junit.jupiter.api.Test;

/** The cases of RFC 8881, section 18.35.4, and how CREATE_SESSION confirms. */
class ExchangeIdTest {
  private static final Principal OTHER = new Principal("node", "other", false);

  private final World world = new World(World.SMALL);

  @Test
  void aNewNameIsANewClientThatIsConfirmedByItsFirstSession() throws StateException {
    Exchanged first = world.exchange("a", 1);
    assertFalse(first.isConfirmed());
    world.session(first);
    Exchanged again = world.exchange("a", 1);
    assertEquals(first.clientId(), again.clientId());
    assertEquals(first.sequence() + 1, again.sequence());
    assertTrue(again.isConfirmed());
  }

  @Test
  void onePrincipalDoesNotTakeAnothersNameWhileItIsInUse() throws StateException {
    Session session = world.session(world.exchange("a", 1));
    assertRefused(Nfs4Status.CLID_INUSE, () -> asOther("a", 1));
    assertRefused(Nfs4Status.CLID_INUSE, () -> asOther("a", 2));
    world.states.destroySession(session.id(), World.ROOT);
    assertFalse(asOther("a", 2).isConfirmed());
  }

  @Test
  void anybodyTakesTheNameOfAClientThatIsLate() throws StateException {
    world.session(world.exchange("a", 1));
    world.pass(World.LEASE + 1);
    Exchanged taken = asOther("a", 2);
    world.states.createSession(taken.clientId(), taken.sequence(), 1, 1, 1, 1, 8, OTHER, world.now);
    assertEquals(1, world.figures().clients());
  }

  @Test
  void whoWasNotConfirmedIsReplaced() throws StateException {
    Exchanged first = world.exchange("a", 1);
    Exchanged second = asOther("a", 1);
    assertNotEquals(first.clientId(), second.clientId());
    assertRefused(Nfs4Status.STALE_CLIENTID, () -> world.session(first));
    assertEquals(1, world.figures().unconfirmed());
  }

  @Test
  void aRestartedClientLosesWhatItHadWhenItMakesASession() throws StateException {
    Client before = world.client("a");
    world.open(before, "o", "f", Share.BOTH, Share.BOTH);
    Exchanged after = world.exchange("a", 2);
    assertFalse(after.isConfirmed());
    assertNotEquals(before.id(), after.clientId());
    assertEquals(1, world.figures().opens());
    assertTrue(world.exchange("a", 1).isConfirmed(), "the old one is still there");
    world.session(world.exchange("a", 2));
    assertEquals(0, world.figures().opens());
    assertEquals(0, world.holding.get());
    assertEquals(1, world.figures().sessions());
    assertRefused(
        Nfs4Status.DEADSESSION, () -> world.open(before, "o", "f", Share.READ, Share.NONE));
    assertTrue(world.records.names().isEmpty());
  }

  @Test
  void anUpdateIsOfAConfirmedClientByTheSamePrincipalInTheSameLife() throws StateException {
    assertRefused(Nfs4Status.NOENT, () -> update("a", 1, ROOT));
    Exchanged first = world.exchange("a", 1);
    assertRefused(Nfs4Status.NOENT, () -> update("a", 1, ROOT));
    world.session(first);
    assertEquals(first.clientId(), update("a", 1, ROOT).clientId());
    assertRefused(Nfs4Status.NOT_SAME, () -> update("a", 2, ROOT));
    assertRefused(Nfs4Status.PERM, () -> update("a", 1, OTHER));
  }

  @Test
  void onlyWhoIntroducedTheClientConfirmsIt() throws StateException {
    Exchanged first = asOther("a", 1);
    assertRefused(Nfs4Status.CLID_INUSE, () -> world.session(first));
  }

  @Test
  void aSessionIsMadeOnceAndItsRepetitionAnsweredAlike() throws StateException {
    Exchanged client = world.exchange("a", 1);
    assertRefused(Nfs4Status.SEQ_MISORDERED, () -> world.session(client.clientId(), 0));
    assertRefused(Nfs4Status.SEQ_MISORDERED, () -> world.session(client.clientId(), 2));
    Session made = world.session(client.clientId(), 1);
    assertSame(made, world.session(client.clientId(), 1));
    Session second = world.session(client.clientId(), 2);
    assertNotEquals(made.id(), second.id());
    assertSame(second, world.session(client.clientId(), 2));
    assertRefused(Nfs4Status.SEQ_MISORDERED, () -> world.session(client.clientId(), 1));
    assertEquals(2, world.figures().sessions());
    assertSame(made, world.states.session(made.id()));
  }

  @Test
  void aClientLeavesWhenItHasNothing() throws StateException {
    Client client = world.client("a");
    Session session = world.session(client.id(), 2);
    assertRefused(
        Nfs4Status.CLIENTID_BUSY, () -> world.states.destroyClient(client.id(), World.ROOT));
    client.sessions().values().stream().map(Session::id).toList().forEach(this::destroy);
    world.states.destroyClient(client.id(), World.ROOT);
    assertRefused(
        Nfs4Status.STALE_CLIENTID, () -> world.states.destroyClient(client.id(), World.ROOT));
    assertRefused(Nfs4Status.BADSESSION, () -> session.begin(0, 1, true, world.now));
    assertRefused(Nfs4Status.BADSESSION, () -> world.states.session(session.id()));
    assertRefused(
        Nfs4Status.BADSESSION, () -> world.states.destroySession(session.id(), World.ROOT));
    assertEquals(0, world.figures().clients());
    assertTrue(world.records.names().isEmpty());
  }

  @Test
  void aClientThatIsNoMoreLeavesNoRecord() throws StateException {
    Client before = world.session(world.exchange("a", 1)).client();
    world.session(world.exchange("a", 2));
    assertRefused(Nfs4Status.DEADSESSION, () -> world.states.reclaimComplete(before));
    assertTrue(world.records.names().isEmpty());
  }

  @Test
  void aClientOfAnEarlierRunIsStale() throws StateException {
    Exchanged before = world.exchange("a", 1);
    world.restart();
    world.exchange("a", 1);
    assertRefused(Nfs4Status.STALE_CLIENTID, () -> world.session(before));
  }

  private void destroy(dev.sluice.nfs.nfs4.SessionId id) {
    try {
      world.states.destroySession(id, World.ROOT);
    } catch (StateException e) {
      throw new AssertionError(e);
    }
  }

  private Exchanged asOther(String name, long verifier) throws StateException {
    return world.states.exchangeId(World.owner(name, verifier), OTHER, false, world.now);
  }

  private Exchanged update(String name, long verifier, Principal by) throws StateException {
    return world.states.exchangeId(World.owner(name, verifier), by, true, world.now);
  }
}
