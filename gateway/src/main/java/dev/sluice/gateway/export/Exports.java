package dev.sluice.gateway.export;

import dev.sluice.core.model.ClientAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is exported now. Replaced as a whole while calls are served: a call sees the old table
 * or the new one. Safe for use by many threads.
 */
public final class Exports {
  private volatile Table table;

  public Exports(Collection<Export> exports) {
    this.table = new Table(exports);
  }

  /**
   * Puts other exports in the place of those that are there. Handles of an export that is gone are
   * stale from now on; those of one that stays, by its number, hold. Refuses two exports with the
   * same path or number, and then changes nothing.
   */
  public void replace(Collection<Export> exports) {
    table = new Table(exports);
  }

  /** The export with this number; null when there is none. */
  public @Nullable Export byId(int id) {
    return table.byId(id);
  }

  /** The export with the longest path that this one is in; null when there is none. */
  public @Nullable Mountable find(MountPath path) {
    Mountable longest = null;
    // Of two paths that this one is in, the longer comes later.
    for (Export export : table.byPath) {
      String below = path.below(export.path());
      if (below != null) {
        longest = new Mountable(export, below);
      }
    }
    return longest;
  }

  /** In the order of their paths. */
  public List<Export> all() {
    return table.byPath;
  }

  /**
   * Whether some export is for clients at this address: whoever is at another has no business here.
   * Cheap, however many exports and networks there are.
   */
  public boolean admitsAnyFrom(ClientAddress client) {
    Table current = table;
    return current.forEverybody || current.clients.contains(client);
  }

  /**
   * An export and a directory in it.
   *
   * @param directory below the export's root, without a slash at its start; empty for the root
   */
  public record Mountable(Export export, String directory) {}

  /** The exports by path and, for every call, by number without a search through objects. */
  private static final class Table {
    final List<Export> byPath;
    private final Export[] byId;
    private final int[] ids;
    final boolean forEverybody;
    final NetworkSet clients;

    Table(Collection<Export> exports) {
      byPath = exports.stream().sorted(Comparator.comparing(Export::path)).toList();
      byId = exports.stream().sorted(Comparator.comparingInt(Export::id)).toArray(Export[]::new);
      ids = Arrays.stream(byId).mapToInt(Export::id).toArray();
      forEverybody = exports.stream().anyMatch(export -> export.clients().isEmpty());
      clients =
          new NetworkSet(exports.stream().flatMap(export -> export.clients().stream()).toList());
      for (int i = 1; i < ids.length; i++) {
        if (byPath.get(i - 1).path().equals(byPath.get(i).path())) {
          throw new IllegalArgumentException("exported twice: " + byPath.get(i).path());
        }
        if (ids[i - 1] == ids[i]) {
          throw new IllegalArgumentException(
              byId[i - 1].path() + " and " + byId[i].path() + " have the same number: " + ids[i]);
        }
      }
    }

    @Nullable Export byId(int id) {
      int found = Arrays.binarySearch(ids, id);
      return found < 0 ? null : byId[found];
    }
  }
}
