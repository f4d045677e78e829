package dev.sluice.gateway.nfs4.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileLocks;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.testkit.EnduranceScale;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How much memory clients can fill when they do their worst: what docs/gateway.md says. */
class StateMemoryTest {
  /** What is filled, of what a gateway allows. */
  private static final int PART = EnduranceScale.of(16, 1);

  private static final long MEBIBYTES_MAX = 200;

  private static final Set<Nfs4Status> FULL =
      Set.of(Nfs4Status.NOSPC, Nfs4Status.DELAY, Nfs4Status.SERVERFAULT);

  /** The longest name that counts as one state. */
  private static final int NAME_BYTES = 255;

  private static final int OWNER_BYTES = 1_024;
  private static final int CLIENTS_PER_NODE = 16;

  private final StateBounds bounds =
      new StateBounds(
          StateBounds.DEFAULTS.clientsMax() / PART,
          StateBounds.DEFAULTS.sessionsPerClientMax(),
          StateBounds.DEFAULTS.slotsPerSessionMax(),
          StateBounds.DEFAULTS.repliesBytesMax(),
          StateBounds.DEFAULTS.slotsBytesMax() / PART,
          StateBounds.DEFAULTS.statesPerClientMax() / PART,
          StateBounds.DEFAULTS.statesMax() / PART,
          StateBounds.DEFAULTS.lockRangesPerClientMax() / PART,
          StateBounds.DEFAULTS.lockRangesMax() / PART,
          StateBounds.DEFAULTS.nodesMin());

  private long files;

  @Test
  void fullTablesTakeNoMoreThanIsSaid() throws StateException {
    long before = usedBytes();
    Nfs4States states = new Nfs4States(bounds, World.LEASE, ClientRecords.forgetful(), 7, 0);
    List<Client> clients = new ArrayList<>();
    List<String> said = new ArrayList<>();
    for (int i = 0; i < bounds.clientsMax(); i++) {
      clients.add(client(states, i));
    }
    for (int i = 0; i < bounds.clientsMax(); i++) {
      exchange(states, bounds.clientsMax() + i);
    }
    said.add("clients " + mebibytes(before));
    fillSlots(states, clients);
    said.add("and slots " + mebibytes(before));
    fillRanges(states, clients);
    said.add("and ranges " + mebibytes(before));
    fillOpens(states, clients);
    Figures full = states.figures(0);
    long bytes = usedBytes() - before;
    System.out.println(full + ": " + String.join(", ", said) + ", and opens " + mebibytes(before));
    assertEquals(bounds.clientsMax(), full.clients());
    assertTrue(full.opens() + full.locks() > bounds.statesMax() * 9 / 10, full.toString());
    assertTrue(full.lockRanges() > bounds.lockRangesMax() * 9 / 10, full.toString());
    assertTrue(bytes <= (MEBIBYTES_MAX << 20) / PART, bytes + " bytes");
  }

  private static Principal principal(int number) {
    return new Principal("10.0.0." + number / CLIENTS_PER_NODE, "0", true);
  }

  private static Exchanged exchange(Nfs4States states, int number) throws StateException {
    byte[] name = ByteBuffer.allocate(OWNER_BYTES).putInt(number).array();
    return states.exchangeId(new ClientOwner(name, 1), principal(number), false, 0);
  }

  private static Client client(Nfs4States states, int number) throws StateException {
    Exchanged exchanged = exchange(states, number);
    Client client =
        states
            .createSession(exchanged.clientId(), 1, 1, 4_096, 4_096, 2_048, 8, principal(number), 0)
            .session()
            .client();
    states.reclaimComplete(client);
    return client;
  }

  /** Each slot keeps the longest reply. */
  private void fillSlots(Nfs4States states, List<Client> clients) throws StateException {
    for (int number = 0; number < clients.size(); number++) {
      try {
        for (int i = 2; i <= bounds.sessionsPerClientMax(); i++) {
          Session session =
              states
                  .createSession(
                      clients.get(number).id(),
                      i,
                      bounds.slotsPerSessionMax(),
                      4_096,
                      4_096,
                      bounds.repliesBytesMax(),
                      8,
                      principal(number),
                      0)
                  .session();
          for (int slot = 0; slot < session.slots(); slot++) {
            SlotUse.First use = (SlotUse.First) session.begin(slot, 1, true, 0);
            session.end(use, new byte[session.maxCachedReplyBytes()]);
          }
        }
      } catch (StateException e) {
        assertTrue(FULL.contains(e.status()), e.getMessage());
      }
    }
  }

  /** Bytes with a gap after each, so that none is joined to the next. */
  private void fillRanges(Nfs4States states, List<Client> clients) throws StateException {
    for (Client client : clients) {
      try {
        FileHandle file = nextFile();
        StateId open =
            states
                .open(client, name(), file, Share.BOTH, 0, false, () -> StateMemoryTest::letGo, 0)
                .id();
        for (int i = 0; i < bounds.lockRangesPerClientMax(); i++) {
          LockRequest request =
              LockRequest.first(open, new byte[NAME_BYTES], file, 2L * i, 1, true, false);
          states.lock(client, request, FileLocks::none, 0);
        }
      } catch (StateException e) {
        assertTrue(FULL.contains(e.status()), e.getMessage());
      }
    }
  }

  /** Every open is of a file of its own, and by an owner of its own. */
  private void fillOpens(Nfs4States states, List<Client> clients) throws StateException {
    for (Client client : clients) {
      try {
        while (true) {
          states.open(
              client, name(), nextFile(), Share.BOTH, 0, false, () -> StateMemoryTest::letGo, 0);
        }
      } catch (StateException e) {
        assertTrue(FULL.contains(e.status()), e.getMessage());
      }
    }
  }

  /** Nothing is held. */
  private static void letGo() {}

  private FileHandle nextFile() {
    return FileHandle.of(1, ByteBuffer.allocate(24).putLong(++files).array());
  }

  private byte[] name() {
    return ByteBuffer.allocate(NAME_BYTES).putLong(++files).array();
  }

  private static String mebibytes(long before) {
    return ((usedBytes() - before) >> 20) + " MiB";
  }

  private static long usedBytes() {
    long[] used = new long[3];
    for (int i = 0; i < used.length; i++) {
      System.gc();
      used[i] = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
    return Arrays.stream(used).min().orElseThrow();
  }
}
