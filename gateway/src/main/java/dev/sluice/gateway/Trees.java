package dev.sluice.gateway;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.sluice.gateway.config.ExportConfiguration;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.PosixTree;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The directories behind exports, open, by the number of the export. Not thread-safe. */
final class Trees implements AutoCloseable {
  /** Longer than a call that is being served takes to let go of what it holds. */
  private static final long RETIRED_NANOS = 60_000_000_000L;

  private static final int DESCRIPTORS_MIN = 256;
  private static final int DESCRIPTORS_MAX = 65_536;

  private final Path stateDirectory;
  private final ExportNumbers numbers;
  private final Map<Integer, PosixTree> open = new LinkedHashMap<>();
  private final Deque<Retired> retired = new ArrayDeque<>();

  /** A tree that is exported no more, and from when. */
  private record Retired(PosixTree tree, long sinceNanos) {}

  Trees(Path stateDirectory) {
    this.stateDirectory = stateDirectory;
    this.numbers = new ExportNumbers(stateDirectory);
  }

  /**
   * The tree behind an export, opened if it was not yet.
   *
   * @param exports how many there are to share descriptors with
   */
  PosixTree of(ExportConfiguration export, int exports) throws IOException {
    int number = numbers.of(export.path(), export.directory());
    PosixTree tree = open.get(number);
    if (tree == null) {
      try {
        tree = PosixTree.open(number, export.directory(), stateDirectory, descriptorsMax(exports));
      } catch (IOException e) {
        throw new IOException("export " + export.path() + ": directory: " + e.getMessage(), e);
      }
      open.put(number, tree);
    }
    return tree;
  }

  /** Half of what the process may have, shared by all; the other half is for connections. */
  private static int descriptorsMax(int exports) {
    long limit =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getMaxFileDescriptorCount()
            : DESCRIPTORS_MIN;
    return Math.clamp(limit / 2 / exports, DESCRIPTORS_MIN, DESCRIPTORS_MAX);
  }

  /** Closes, after a while, all trees but these. */
  void retain(List<FileTree> wanted, long nowNanos) {
    open.values()
        .removeIf(tree -> {
          if (wanted.contains(tree)) {
            return false;
          }
          retired.addLast(new Retired(tree, nowNanos));
          return true;
        });
  }

  /** Closes what nobody can be using any more. */
  void sweep(long nowNanos) throws IOException {
    while (!retired.isEmpty() && nowNanos - retired.getFirst().sinceNanos > RETIRED_NANOS) {
      retired.removeFirst().tree.close();
    }
  }

  @Override
  public void close() throws IOException {
    for (Retired gone : retired) {
      gone.tree.close();
    }
    for (PosixTree tree : open.values()) {
      tree.close();
    }
  }
}
