package dev.sluice.gateway.mount3;

import dev.sluice.core.model.ClientAddress;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Who has mounted what, as far as is known: for people to look at, nothing depends on it. Clients
 * that go away without a word stay in it until newer ones push them out. Safe for use by many
 * threads.
 */
final class MountTable {
  private final int entriesMax;
  private final LinkedHashSet<Entry> entries = new LinkedHashSet<>();

  MountTable(int entriesMax) {
    this.entriesMax = entriesMax;
  }

  /** A client and the path it mounted, as it wrote it. */
  record Entry(ClientAddress client, String path) {}

  synchronized void add(ClientAddress client, String path) {
    entries.addLast(new Entry(client, path));
    if (entries.size() > entriesMax) {
      entries.removeFirst();
    }
  }

  synchronized void remove(ClientAddress client, String path) {
    entries.remove(new Entry(client, path));
  }

  synchronized void removeAll(ClientAddress client) {
    entries.removeIf(entry -> entry.client().equals(client));
  }

  /** The latest come last. */
  synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }
}
