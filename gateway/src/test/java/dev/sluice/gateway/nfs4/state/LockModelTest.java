package dev.sluice.gateway.nfs4.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Locks against a model that has one lock for each byte and owner, and against the disk's. */
class LockModelTest {
  private static final int OWNERS = 4;

  /** The last stands for all to the end of the file. */
  private static final int BYTES = 17;

  private static final char FREE = ' ';
  private static final char SHARED = 's';
  private static final char EXCLUSIVE = 'x';

  private static final class Case {
    final World world = new World(World.SMALL);
    final RandomGenerator random;
    final List<Client> clients = new ArrayList<>();
    final List<StateId> opens = new ArrayList<>();
    final @Nullable StateId[] locks = new @Nullable StateId[OWNERS];
    final char[][] model = new char[OWNERS][BYTES];
    final char[][] disk = new char[OWNERS][BYTES];
    boolean isDiskTaken;

    Case(RandomGenerator random) throws StateException {
      this.random = random;
      for (int i = 0; i < 2; i++) {
        clients.add(world.client("client " + i));
        opens.add(world.open(clients.get(i), "o", "f", Share.BOTH, Share.NONE));
      }
      for (int i = 0; i < OWNERS; i++) {
        Arrays.fill(model[i], FREE);
        Arrays.fill(disk[i], FREE);
      }
    }

    /** What the file system would keep for an owner. */
    FileLocks diskOf(int owner) {
      return new FileLocks() {
        @Override
        public boolean tryLock(long offset, long length, boolean isExclusive) {
          if (!isDiskTaken) {
            fill(disk[owner], offset, length, isExclusive ? EXCLUSIVE : SHARED);
          }
          return !isDiskTaken;
        }

        @Override
        public void unlock(long offset, long length) {
          fill(disk[owner], offset, length, FREE);
        }

        @Override
        public boolean isFree(long offset, long length, boolean isExclusive) {
          return !isDiskTaken;
        }

        @Override
        public void close() {
          Arrays.fill(disk[owner], FREE);
        }
      };
    }

    /** For an owner that has nothing locked: closing it releases nothing. */
    FileLocks probe() {
      return new FileLocks() {
        @Override
        public boolean tryLock(long offset, long length, boolean isExclusive) {
          throw new AssertionError("a test locks nothing");
        }

        @Override
        public void unlock(long offset, long length) {
          throw new AssertionError("a test unlocks nothing");
        }

        @Override
        public boolean isFree(long offset, long length, boolean isExclusive) {
          return !isDiskTaken;
        }

        @Override
        public void close() {}
      };
    }

    static void fill(char[] bytes, long offset, long length, char with) {
      int end = length < 0 ? BYTES : (int) (offset + length);
      Arrays.fill(bytes, (int) offset, end, with);
    }

    boolean isFree(int owner, int offset, int end, boolean isExclusive) {
      for (int other = 0; other < OWNERS; other++) {
        for (int i = offset; other != owner && i < end; i++) {
          if (model[other][i] == EXCLUSIVE || (isExclusive && model[other][i] == SHARED)) {
            return false;
          }
        }
      }
      return true;
    }

    void step() throws StateException {
      int owner = random.nextInt(OWNERS);
      Client client = clients.get(owner % 2);
      int offset = random.nextInt(BYTES - 1);
      boolean isToEnd = random.nextInt(6) == 0;
      int length = isToEnd ? -1 : random.nextInt(1, BYTES - offset);
      int end = isToEnd ? BYTES : offset + length;
      boolean isExclusive = random.nextBoolean();
      isDiskTaken = random.nextInt(10) == 0;
      StateId mine = locks[owner];
      int what = random.nextInt(12);
      if (what < 6) {
        lock(owner, client, mine, offset, end, length, isExclusive);
      } else if (what < 8) {
        Denied denied =
            world.states.testLock(
                client, name(owner), "f", offset, length, isExclusive, this::probe, world.now);
        assertEquals(isFree(owner, offset, end, isExclusive) && !isDiskTaken, denied == null);
      } else if (mine != null && what < 11) {
        locks[owner] = world.states.unlock(client, mine, "f", offset, length);
        fill(model[owner], offset, length, FREE);
      } else if (mine != null) {
        free(owner, client, mine);
      }
    }

    private void lock(
        int owner,
        Client client,
        @Nullable StateId mine,
        int offset,
        int end,
        int length,
        boolean isExclusive)
        throws StateException {
      StateId open = opens.get(owner % 2);
      LockRequest request =
          mine == null || random.nextInt(8) == 0
              ? LockRequest.first(open, name(owner), "f", offset, length, isExclusive, false)
              : LockRequest.further(mine, "f", offset, length, isExclusive, false);
      Locked locked = world.states.lock(client, request, () -> diskOf(owner), world.now);
      if (!isFree(owner, offset, end, isExclusive)) {
        Denied denied = assertInstanceOf(Denied.class, locked);
        assertTheirs(denied, owner, offset, end, isExclusive);
      } else if (isDiskTaken) {
        assertEquals(0, assertInstanceOf(Denied.class, locked).clientId());
      } else {
        StateId id = assertInstanceOf(Locked.Granted.class, locked).id();
        assertEquals(mine == null ? 1 : mine.sequence() + 1, id.sequence());
        locks[owner] = id;
        fill(model[owner], offset, length, isExclusive ? EXCLUSIVE : SHARED);
      }
    }

    /** What is named as being in the way is somebody else's, whole and of one kind. */
    private void assertTheirs(Denied denied, int owner, int offset, int end, boolean isExclusive) {
      int theirs = -1;
      for (int other = 0; other < OWNERS; other++) {
        if (Arrays.equals(name(other), denied.owner())) {
          theirs = other;
        }
      }
      assertTrue(theirs >= 0 && theirs != owner);
      assertEquals(clients.get(theirs % 2).id(), denied.clientId());
      assertTrue(isExclusive || denied.isExclusive());
      int first = (int) denied.offset();
      int last = denied.length() < 0 ? BYTES - 1 : (int) (first + denied.length() - 1);
      assertTrue(first < end && last >= offset, "it overlaps");
      char kind = denied.isExclusive() ? EXCLUSIVE : SHARED;
      for (int i = first; i <= last; i++) {
        assertEquals(kind, model[theirs][i]);
      }
      assertFalse(first > 0 && model[theirs][first - 1] == kind, "neighbours are one");
      assertFalse(last < BYTES - 1 && model[theirs][last + 1] == kind, "neighbours are one");
    }

    private void free(int owner, Client client, StateId mine) throws StateException {
      boolean isHeld = new String(model[owner]).strip().length() > 0;
      if (isHeld) {
        World.assertRefused(Nfs4Status.LOCKS_HELD, () -> world.states.free(client, mine));
      } else {
        world.states.free(client, mine);
        locks[owner] = null;
      }
    }

    void check() {
      int ranges = 0;
      for (int owner = 0; owner < OWNERS; owner++) {
        assertEquals(new String(model[owner]), new String(disk[owner]));
        for (int i = 0; i < BYTES; i++) {
          boolean isFirst = i == 0 || model[owner][i] != model[owner][i - 1];
          ranges += isFirst && model[owner][i] != FREE ? 1 : 0;
        }
      }
      assertEquals(ranges, world.figures().lockRanges());
    }

    private static byte[] name(int owner) {
      return World.bytes("owner " + owner);
    }
  }

  @Test
  void locksAreThoseOfTheModelAndOfTheDisk() {
    SeededCases.forAll(
        3_000,
        random -> {
          Case one = new Case(random);
          for (int i = 0; i < 60; i++) {
            one.step();
            one.check();
          }
          for (int i = 0; i < 2; i++) {
            one.world.states.close(one.clients.get(i), one.opens.get(i));
          }
          for (int owner = 0; owner < OWNERS; owner++) {
            assertTrue(new String(one.disk[owner]).isBlank(), "closing unlocks");
          }
          assertEquals(new Figures(2, 0, 0, 2, 0, 0, 0, 0), one.world.figures());
        });
  }

  @Test
  void rangesGoToTheEndOf64Bits() throws StateException {
    World world = new World(World.SMALL);
    Client client = world.client("a");
    Client other = world.client("b");
    StateId open = world.open(client, "o", "f", Share.BOTH, Share.NONE);
    world.locked(client, open, "l", "f", Long.MAX_VALUE, 2);
    world.locked(client, open, "l", "f", -2, 1);
    assertNull(test(world, other, 0, Long.MAX_VALUE));
    assertNotNull(test(world, other, 0, Long.MIN_VALUE));
    assertNotNull(test(world, other, 0, -1));
    assertNotNull(test(world, other, -2, 1));
    assertNull(test(world, other, -1, 1));
    for (long length : new long[] {0, -2, Long.MIN_VALUE}) {
      World.assertRefused(
          Nfs4Status.INVAL,
          () -> test(world, other, length == 0 ? 0 : Long.MAX_VALUE + 10, length));
    }
  }

  private static @Nullable Denied test(World world, Client client, long offset, long length)
      throws StateException {
    byte[] name = World.bytes("t");
    return world.states.testLock(
        client, name, "f", offset, length, true, FileLocks::none, world.now);
  }
}
