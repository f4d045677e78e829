package dev.sluice.gateway.config;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How many connections clients may have.
 *
 * @param inAll of all clients together
 * @param perAddress of one address
 */
public record ConnectionBounds(int inAll, int perAddress) {
  private static final int MOST = 1_000_000;

  /** Each has a thread: more than this is more than one machine serves. */
  private static final int IN_ALL = 50_000;

  /** A client has up to 16 for each server; behind one address there may be a rack of them. */
  private static final int PER_ADDRESS = 2_048;

  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";

  static ConnectionBounds read(@Nullable DocumentNode node) {
    int inAll = Math.min(IN_ALL, openFilesMax() / 2);
    if (node == null) {
      return new ConnectionBounds(inAll, Math.min(PER_ADDRESS, inAll));
    }
    DocumentMap map = node.map("in-all", "per-address");
    DocumentNode all = map.optional("in-all");
    DocumentNode each = map.optional("per-address");
    int wanted = all == null ? inAll : (int) all.whole(1, MOST);
    return new ConnectionBounds(
        wanted, each == null ? Math.min(PER_ADDRESS, wanted) : (int) each.whole(1, MOST));
  }

  /** Every connection is an open file, and so are files that are served. */
  private static int openFilesMax() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(OPEN_FILES)) {
          String now = line.substring(OPEN_FILES.length()).strip().split("\\s+", 2)[0];
          return now.equals("unlimited")
              ? Integer.MAX_VALUE
              : (int) Math.min(MOST, Long.parseLong(now));
        }
      }
    } catch (IOException | NumberFormatException _) {
      // A system that does not tell has the usual limit.
    }
    return IN_ALL;
  }
}
