package dev.sluice.sim.scenario;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the targets of a scenario. */
final class TargetsReader {
  /** As many I/O threads as a small server has. */
  static final int DEFAULT_THREADS = 16;

  /** What an operation is taken to cost where a capacity is found out, as on a gateway. */
  private static final TokenUnit FOUND_UNIT = new TokenUnit(16 << 10, 1);

  private final boolean fluid;
  private final List<TargetSpec> targets = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private TargetsReader(boolean fluid) {
    this.fluid = fluid;
  }

  /**
   * All that are written.
   *
   * @param fluid whether there are streams instead of requests
   */
  static List<TargetSpec> read(DocumentNode node, boolean fluid) {
    TargetsReader reader = new TargetsReader(fluid);
    DocumentMap written = node.openMap();
    for (Map.Entry<String, DocumentNode> entry : written.entries().entrySet()) {
      reader.read(written, entry.getKey(), entry.getValue());
    }
    if (reader.targets.isEmpty()) {
      throw node.error("expected at least one target");
    }
    return reader.targets;
  }

  private void read(DocumentMap written, String key, DocumentNode node) {
    ScenarioReader.checkName(written, key);
    DocumentMap map =
        node.map(
            "repeat",
            "bandwidth",
            "capacity",
            "operation-cost",
            "latency",
            "threads",
            "variability");
    DocumentNode bandwidthNode = map.required("bandwidth");
    long bytesPerSecond = bandwidth(bandwidthNode);
    DocumentNode capacityNode = map.optional("capacity");
    boolean found = isFound(capacityNode);
    DocumentNode repeat = map.optional("repeat");
    long count = repeat == null ? 1 : repeat.whole(1, Limits.TARGETS_MAX);
    DocumentNode threadsNode = map.optional("threads");
    int threads =
        threadsNode == null ? DEFAULT_THREADS : (int) threadsNode.whole(1, Limits.THREADS_MAX);
    TargetSpec.Variability variability = variability(map.optional("variability"));
    for (long i = 1; i <= count; i++) {
      String name = repeat == null ? key : key + "-" + i;
      if (!names.add(name)) {
        throw written.keyError(key, "there is a target \"" + name + "\" already");
      }
      if (names.size() > Limits.TARGETS_MAX) {
        throw written.keyError(key, "expected at most " + Limits.TARGETS_MAX + " targets in all");
      }
      targets.add(
          new TargetSpec(
              found
                  ? new Target(name, Rate.TOKENS_PER_SECOND_MAX, FOUND_UNIT)
                  : told(name, capacityNode, bytesPerSecond),
              bytesPerSecond,
              serviceNanos(map.optional("operation-cost")),
              serviceNanos(map.optional("latency")),
              threads,
              variability,
              found));
    }
  }

  private boolean isFound(@Nullable DocumentNode capacity) {
    if (capacity == null || !capacity.text().equals("auto")) {
      return false;
    }
    if (fluid) {
      throw capacity.error("expected a rate: only requests show what a target can do");
    }
    return true;
  }

  private static Target told(String name, @Nullable DocumentNode node, long bytesPerSecond) {
    Quantities.CountedRate capacity =
        node == null
            ? new Quantities.CountedRate(bytesPerSecond, Quantities.Counted.BYTES)
            : capacity(node);
    return new Target(name, capacity.perSecond(), capacity.unit());
  }

  private static long bandwidth(DocumentNode node) {
    Quantities.CountedRate rate = node.rate();
    if (rate.counted() != Quantities.Counted.BYTES || !isInRange(rate)) {
      throw node.error("expected 1 B/s to 2 TB/s, such as 500 MB/s");
    }
    return rate.perSecond();
  }

  private static Quantities.CountedRate capacity(DocumentNode node) {
    Quantities.CountedRate rate = node.rate();
    if (!isInRange(rate)) {
      throw node.error("expected a rate from 1 to " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    return rate;
  }

  private static boolean isInRange(Quantities.CountedRate rate) {
    return rate.perSecond() >= 1 && rate.perSecond() <= Rate.TOKENS_PER_SECOND_MAX;
  }

  private static long serviceNanos(@Nullable DocumentNode node) {
    return node == null ? 0 : node.durationNanos(0, Limits.SERVICE_NANOS_MAX);
  }

  private static TargetSpec.@Nullable Variability variability(@Nullable DocumentNode node) {
    if (node == null) {
      return null;
    }
    DocumentMap map = node.map("deviation", "every");
    // At a deviation of 1 the bandwidth could be nothing, and a request could last for ever.
    return new TargetSpec.Variability(
        map.required("deviation").number(0, 0.99),
        map.required("every").durationNanos(Limits.TIME_NANOS_MIN, Limits.TIME_NANOS_MAX));
  }
}
