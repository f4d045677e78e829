package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.files.Timestamp;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The directories that lead from the root to the exports. They are made of the exports' paths
 * whenever somebody asks, and known by a hash of their own path, so that handles hold over restarts
 * as long as the path leads somewhere.
 */
final class PseudoTree {
  /** The number that no export has. */
  static final int EXPORT_ID = 0;

  private static final String ROOT = "/";
  private static final int MODE = 0555;

  /** Cookies below this mean something else to clients. */
  private static final long FIRST_COOKIE = 3;

  private final Exports exports;
  private final Timestamp began;

  PseudoTree(Exports exports, Timestamp began) {
    this.exports = exports;
    this.began = began;
  }

  /** Where a name leads: to an export's root, or to another directory on the way. */
  sealed interface Step {
    record Into(Export export) implements Step {}

    record On(String path) implements Step {}
  }

  /** The handle of the directory with this path. */
  static FileHandle handle(String path) {
    return FileHandle.of(
        EXPORT_ID, ByteBuffer.allocate(Long.BYTES).putLong(numberOf(path)).array());
  }

  static boolean isHandle(FileHandle handle) {
    return handle.exportId() == EXPORT_ID;
  }

  /** The path of the directory with this handle; null when it leads nowhere any more. */
  @Nullable String path(FileHandle handle) {
    if (handle.equals(handle(ROOT))) {
      return ROOT;
    }
    for (Export export : exports.all()) {
      String path = export.path();
      for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
        if (handle.equals(handle(path.substring(0, end)))) {
          return path.substring(0, end);
        }
      }
    }
    return null;
  }

  /** What the root is. */
  Step root(ClientAddress client) {
    Step step = step(ROOT, client);
    return step == null ? new Step.On(ROOT) : step;
  }

  /** Where a name in a directory leads; null when it leads nowhere. */
  @Nullable Step child(String path, String name, ClientAddress client) {
    return step(path.equals(ROOT) ? ROOT + name : path + "/" + name, client);
  }

  private @Nullable Step step(String path, ClientAddress client) {
    boolean leadsOn = false;
    for (Export export : exports.all()) {
      if (export.admits(client)) {
        if (export.path().equals(path)) {
          return new Step.Into(export);
        }
        leadsOn |= isAbove(path, export.path());
      }
    }
    return leadsOn ? new Step.On(path) : null;
  }

  private static boolean isAbove(String path, String exported) {
    return exported.startsWith(path.equals(ROOT) ? ROOT : path + "/");
  }

  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash <= 0 ? ROOT : path.substring(0, slash);
  }

  /** The directory in which an export is found, and what is hidden by its root. */
  static long mountedOn(Export export) {
    return numberOf(export.path());
  }

  /** The entries of a directory, by cookie. */
  SortedMap<Long, String> entries(String path, ClientAddress client) {
    TreeMap<String, Boolean> names = new TreeMap<>();
    String prefix = path.equals(ROOT) ? ROOT : path + "/";
    for (Export export : exports.all()) {
      if (export.admits(client)
          && export.path().startsWith(prefix)
          && export.path().length() > prefix.length()) {
        String rest = export.path().substring(prefix.length());
        int slash = rest.indexOf('/');
        names.put(slash < 0 ? rest : rest.substring(0, slash), true);
      }
    }
    SortedMap<Long, String> entries = new TreeMap<>();
    for (String name : List.copyOf(names.keySet())) {
      // A cookie belongs to a name, whatever others come and go.
      long cookie = FIRST_COOKIE + (numberOf(prefix + name) >>> 2);
      while (entries.containsKey(cookie)) {
        cookie++;
      }
      entries.put(cookie, name);
    }
    return entries;
  }

  Attributes attributes(String path) {
    return new Attributes(
        FileType.DIRECTORY, MODE, 2, 0, 0, 4_096, 0, 0, 0, 0, numberOf(path), began, began, began);
  }

  /** FNV-1a in 64 bits. */
  private static long numberOf(String path) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < path.length(); i++) {
      hash = (hash ^ path.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
