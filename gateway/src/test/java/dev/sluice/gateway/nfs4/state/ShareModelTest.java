package dev.sluice.gateway.nfs4.state;

import static dev.sluice.gateway.nfs4.state.World.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Share reservations against a list of all who have a file open, and how. */
class ShareModelTest {
  private record Owner(Client client, String name, String file) {}

  private record Mode(int access, int deny) {}

  private static final class Open {
    final List<Mode> modes = new ArrayList<>();
    StateId id = StateId.INVALID;

    int access() {
      return modes.stream().mapToInt(Mode::access).reduce(0, (a, b) -> a | b);
    }

    int deny() {
      return modes.stream().mapToInt(Mode::deny).reduce(0, (a, b) -> a | b);
    }
  }

  private static final class Case {
    final World world = new World(World.SMALL);
    final List<Client> clients = new ArrayList<>();
    final Map<Owner, Open> opens = new LinkedHashMap<>();
    final RandomGenerator random;

    Case(RandomGenerator random) throws StateException {
      this.random = random;
      for (int i = 0; i < 3; i++) {
        clients.add(world.client("client " + i));
      }
    }

    boolean isFree(Owner owner, int access, int deny) {
      return opens.entrySet().stream()
          .filter(other -> other.getKey().file().equals(owner.file()))
          .filter(other -> !other.getKey().equals(owner))
          .allMatch(other ->
              (other.getValue().deny() & access) == 0 && (other.getValue().access() & deny) == 0);
    }

    void step() throws StateException {
      Owner owner =
          new Owner(
              clients.get(random.nextInt(3)), "o" + random.nextInt(2), "f" + random.nextInt(2));
      Open mine = opens.get(owner);
      int access = random.nextInt(1, 4);
      int deny = random.nextInt(3) == 0 ? random.nextInt(4) : Share.NONE;
      switch (random.nextInt(6)) {
        case 0 -> close(owner, mine);
        case 1 -> downgrade(owner, mine, access, deny);
        case 2 -> read(owner, mine);
        default -> open(owner, mine, access, deny);
      }
    }

    private void open(Owner owner, @Nullable Open mine, int access, int deny)
        throws StateException {
      if (!isFree(owner, access, deny)) {
        assertRefused(
            Nfs4Status.SHARE_DENIED,
            () -> world.open(owner.client(), owner.name(), owner.file(), access, deny));
        return;
      }
      StateId id = world.open(owner.client(), owner.name(), owner.file(), access, deny);
      Open open = mine == null ? new Open() : mine;
      if (mine != null) {
        assertTrue(id.isOfSame(mine.id));
      }
      assertEquals(mine == null ? 1 : mine.id.sequence() + 1, id.sequence());
      open.id = id;
      open.modes.add(new Mode(access, deny));
      opens.put(owner, open);
    }

    private void close(Owner owner, @Nullable Open mine) throws StateException {
      if (mine != null) {
        world.states.close(owner.client(), mine.id);
        opens.remove(owner);
        assertRefused(
            Nfs4Status.BAD_STATEID, () -> world.states.openState(owner.client(), mine.id));
      }
    }

    private void downgrade(Owner owner, @Nullable Open mine, int access, int deny)
        throws StateException {
      if (mine == null) {
        return;
      }
      List<Mode> kept =
          mine.modes.stream()
              .filter(mode -> (mode.access() & ~access) == 0 && (mode.deny() & ~deny) == 0)
              .toList();
      Open less = new Open();
      less.modes.addAll(kept);
      if (less.access() != access || less.deny() != deny) {
        assertRefused(
            Nfs4Status.INVAL, () -> world.states.downgrade(owner.client(), mine.id, access, deny));
        return;
      }
      less.id = world.states.downgrade(owner.client(), mine.id, access, deny);
      opens.put(owner, less);
      assertRefused(Nfs4Status.OLD_STATEID, () -> world.states.close(owner.client(), mine.id));
    }

    private void read(Owner owner, @Nullable Open mine) throws StateException {
      boolean isWrite = random.nextBoolean();
      int bit = isWrite ? Share.WRITE : Share.READ;
      StateId id = mine == null ? StateId.ANONYMOUS : mine.id;
      boolean isDenied =
          opens.entrySet().stream()
              .filter(other -> other.getKey().file().equals(owner.file()))
              .anyMatch(other -> (other.getValue().deny() & bit) != 0);
      if (mine == null ? isDenied : (mine.access() & bit) == 0) {
        assertRefused(
            mine == null ? Nfs4Status.LOCKED : Nfs4Status.OPENMODE,
            () -> world.states.checkAccess(owner.client(), id, owner.file(), isWrite, world.now));
      } else {
        AutoCloseable held =
            world.states.checkAccess(owner.client(), id, owner.file(), isWrite, world.now);
        assertEquals(mine == null, held == null);
      }
      world.states.checkAccess(null, StateId.READ_BYPASS, owner.file(), false, world.now);
    }

    void check() throws StateException {
      assertEquals(opens.size(), world.figures().opens());
      assertEquals(opens.size(), world.holding.get());
      assertEquals(
          opens.keySet().stream().map(Owner::file).distinct().count(), world.figures().files());
      for (Map.Entry<Owner, Open> open : opens.entrySet()) {
        Opening state = world.states.openState(open.getKey().client(), open.getValue().id);
        assertEquals(open.getValue().access(), state.access());
        assertEquals(open.getValue().deny(), state.deny());
      }
    }
  }

  @Test
  void sharesAreThoseOfTheModel() {
    SeededCases.forAll(
        2_000,
        random -> {
          Case one = new Case(random);
          for (int i = 0; i < 40; i++) {
            one.step();
            one.check();
          }
        });
  }
}
