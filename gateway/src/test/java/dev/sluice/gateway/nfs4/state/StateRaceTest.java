package dev.sluice.gateway.nfs4.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many threads at once. */
class StateRaceTest {
  private static final int THREADS = 6;

  /** What may come of a race; all else is a fault. */
  private static final Set<Nfs4Status> EXPECTED =
      Set.of(
          Nfs4Status.SHARE_DENIED,
          Nfs4Status.BAD_STATEID,
          Nfs4Status.OLD_STATEID,
          Nfs4Status.OPENMODE,
          Nfs4Status.EXPIRED,
          Nfs4Status.DEADSESSION,
          Nfs4Status.GRACE,
          Nfs4Status.DELAY,
          Nfs4Status.NOSPC,
          Nfs4Status.SERVERFAULT,
          Nfs4Status.SEQ_MISORDERED,
          Nfs4Status.STALE_CLIENTID,
          Nfs4Status.COMPLETE_ALREADY,
          Nfs4Status.BADSESSION);

  @FunctionalInterface
  private interface Work {
    void run(int thread) throws Exception;
  }

  private static void inParallel(Work work) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        all.add(
            threads.submit(() -> {
              work.run(thread);
              return null;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  @Test
  void aRequestThatComesManyTimesAtOnceIsServedOnce() throws Exception {
    World world = new World(World.SMALL);
    Session session = world.session(world.exchange("a", 1));
    int requests = 2_000;
    AtomicInteger served = new AtomicInteger();
    inParallel(thread -> {
      for (int sequence = 1; sequence <= requests; ) {
        try {
          SlotUse use = session.begin(0, sequence, true, world.now);
          if (use instanceof SlotUse.First first) {
            served.incrementAndGet();
            session.end(first, new byte[] {(byte) sequence});
          } else if (use instanceof SlotUse.Replay replay) {
            assertEquals((byte) sequence, replay.reply()[0]);
          }
          sequence++;
        } catch (StateException e) {
          // Somebody else serves it, or is further already.
          sequence += e.status() == Nfs4Status.SEQ_MISORDERED ? 1 : 0;
        }
      }
    });
    assertEquals(requests, served.get());
  }

  @Test
  void aLockIsHeldByOneAtATime() throws Exception {
    World world = new World(StateBounds.DEFAULTS);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger entered = new AtomicInteger();
    inParallel(thread -> {
      Client client = world.client("client " + thread);
      for (int i = 0; i < 2_000; i++) {
        StateId open = world.open(client, "o", "f", Share.BOTH, Share.NONE);
        if (world.lock(client, open, "l", "f", 0, -1) instanceof Locked.Granted granted) {
          assertEquals(1, inside.incrementAndGet());
          entered.incrementAndGet();
          inside.decrementAndGet();
          world.states.unlock(client, granted.id(), "f", 0, -1);
        }
        world.states.close(client, open);
      }
    });
    assertTrue(entered.get() > 0);
    assertEquals(new Figures(THREADS, 0, 0, THREADS, 0, 0, 0, 0), world.figures());
    assertEquals(0, world.holding.get());
  }

  @Test
  void whateverHappensAtOnceNothingIsLeftBehind() throws Exception {
    World world = new World(World.SMALL);
    inParallel(thread -> {
      SplittableRandom random = new SplittableRandom(thread);
      for (int i = 0; i < 3_000; i++) {
        try {
          wild(world, random);
        } catch (StateException e) {
          assertTrue(EXPECTED.contains(e.status()), e.status() + ": " + e.getMessage());
        }
      }
    });
    world.pass(2 * World.DAY);
    world.states.sweep(world.now);
    assertEquals(new Figures(0, 0, 0, 0, 0, 0, 0, 0), world.figures());
    assertEquals(0, world.holding.get());
    assertEquals(Set.of(), world.records.names());
  }

  /** One of few clients, which are restarted, late and evicted, opens and locks few files. */
  private static void wild(World world, SplittableRandom random) throws StateException {
    String name = "client " + random.nextInt(5);
    long now = world.now + random.nextInt(3) * World.LEASE;
    Exchanged exchanged =
        world.states.exchangeId(World.owner(name, random.nextInt(2)), World.ROOT, false, now);
    Client client =
        world
            .states
            .createSession(
                exchanged.clientId(), exchanged.sequence(), 4, 1, 1, 64, 8, World.ROOT, now)
            .session()
            .client();
    if (!client.isReclaimComplete()) {
      world.states.reclaimComplete(client);
    }
    for (int i = 0; i < 8; i++) {
      String file = "f" + random.nextInt(3);
      int deny = random.nextInt(4) == 0 ? Share.WRITE : Share.NONE;
      StateId open =
          world
              .states
              .open(client, World.bytes("o"), file, Share.BOTH, deny, false, world::held, now)
              .id();
      world.states.checkAccess(client, open, file, true, now);
      LockRequest request =
          LockRequest.first(
              open,
              World.bytes("l" + random.nextInt(3)),
              file,
              random.nextInt(10),
              5,
              random.nextBoolean(),
              false);
      world.states.lock(client, request, FileLocks::none, now);
      switch (random.nextInt(4)) {
        case 0 -> world.states.close(client, open);
        case 1 -> world.states.sweep(now);
        default -> world.states.figures(now);
      }
    }
  }
}
