package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.core.model.JobId;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Slots: each request is served once, whatever is repeated, skipped or out of place. */
class ExactlyOnceTest {
  /** What a slot ought to remember. */
  private static final class Model {
    int sequence;
    boolean isUsed;
    SlotUse.@Nullable First busy;
    byte @Nullable [] reply;
  }

  @Test
  void requestsAreServedOnceUnderRepeatsSkipsAndWrongSlots() {
    SeededCases.forAll(
        2_000,
        random -> {
          World world = new World(World.SMALL);
          Session session = world.session(world.exchange("a", 1));
          Model[] models = new Model[session.slots()];
          for (int i = 0; i < models.length; i++) {
            models[i] = new Model();
          }
          for (int step = 0; step < 60; step++) {
            int slot = random.nextInt(-1, models.length + 1);
            if (slot < 0 || slot == models.length) {
              assertRefused(Nfs4Status.BADSLOT, () -> session.begin(slot, 1, true, world.now));
            } else {
              step(session, slot, models[slot], random);
            }
          }
        });
  }

  private static void step(Session session, int slot, Model model, RandomGenerator random)
      throws StateException {
    SlotUse.First busy = model.busy;
    if (busy != null && random.nextBoolean()) {
      int length = random.nextInt(session.maxCachedReplyBytes() + 20);
      byte[] reply = random.nextInt(4) == 0 ? null : new byte[length];
      session.end(busy, reply);
      model.busy = null;
      model.reply = length > session.maxCachedReplyBytes() ? null : reply;
      return;
    }
    int sequence = model.sequence + random.nextInt(-2, 4);
    if (model.isUsed && sequence == model.sequence) {
      if (busy != null) {
        assertRefused(Nfs4Status.DELAY, () -> session.begin(slot, sequence, true, 9));
      } else if (model.reply == null) {
        assertRefused(Nfs4Status.RETRY_UNCACHED_REP, () -> session.begin(slot, sequence, true, 9));
      } else {
        SlotUse use = session.begin(slot, sequence, random.nextBoolean(), 9);
        assertArrayEquals(model.reply, assertInstanceOf(SlotUse.Replay.class, use).reply());
      }
    } else if (sequence == model.sequence + 1 && busy == null) {
      SlotUse use = session.begin(slot, sequence, true, 9);
      model.busy = assertInstanceOf(SlotUse.First.class, use);
      assertEquals(slot, model.busy.slot());
      model.sequence = sequence;
      model.isUsed = true;
    } else {
      assertRefused(Nfs4Status.SEQ_MISORDERED, () -> session.begin(slot, sequence, true, 9));
    }
  }

  @Test
  void aSessionThatGrowsKeepsWhatItsSlotsRemember() throws StateException {
    World world = new World(StateBounds.DEFAULTS);
    Session session = world.session(world.exchange("a", 1));
    int first = session.slots();
    SlotUse.First answered = (SlotUse.First) session.begin(0, 1, true, world.now);
    session.end(answered, new byte[] {7});
    SlotUse.First underWay = (SlotUse.First) session.begin(1, 1, true, world.now);
    world.states.grow(session);
    assertTrue(session.slots() > first);
    assertEquals(session.slots() - 1, session.highestSlot());
    SlotUse again = session.begin(0, 1, true, world.now);
    assertArrayEquals(new byte[] {7}, assertInstanceOf(SlotUse.Replay.class, again).reply());
    assertRefused(Nfs4Status.DELAY, () -> session.begin(1, 1, true, world.now));
    session.end(underWay, null);
    session.begin(session.highestSlot(), 1, true, world.now);
    assertRefused(Nfs4Status.BADSLOT, () -> session.begin(session.slots(), 1, true, world.now));
  }

  @Test
  void slotsThatTheClientHasNotHeardOfAreNotCounted() throws StateException {
    World world = new World(StateBounds.DEFAULTS);
    Session session = world.session(world.exchange("a", 1));
    int first = session.slots();
    world.states.grow(session);
    assertEquals(first, session.knownSlots());
    session.isUsing(first - 1);
    assertEquals(first, session.knownSlots());
    session.isUsing(first);
    assertEquals(session.slots(), session.knownSlots());
  }

  /** However many jobs keep all they may, the next finds a slot, and gives all back at the end. */
  @Test
  void jobsLeaveSlotsToOthers() {
    SeededCases.forAll(
        200,
        random -> {
          int slots = random.nextInt(2, 1_025);
          SlotShares shares = new SlotShares();
          List<JobId> kept = new ArrayList<>();
          for (int step = 0; step < 3_000; step++) {
            JobId job = JobId.of("job-" + random.nextInt(4));
            if (!kept.isEmpty() && random.nextInt(3) == 0) {
              shares.release(kept.remove(random.nextInt(kept.size())));
            } else if (shares.mayKeepOne(job, slots)) {
              shares.keep(job);
              kept.add(job);
            }
            assertEquals(kept.size(), shares.kept());
            long most = Collections.frequency(kept, job);
            assertTrue(most <= 1 || 2 * (most - 1) < slots, most + " of " + slots);
            assertTrue(kept.size() < slots + 4, kept.size() + " of " + slots);
          }
          kept.forEach(shares::release);
          assertEquals(0, shares.kept());
        });
  }
}
