package dev.sluice.gateway.config;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code targets}. */
final class TargetsReader {
  private static final System.Logger LOG = System.getLogger(TargetsReader.class.getName());
  private static final int TARGETS_MAX = 1_000;
  private static final int WORKERS_MAX = 1_024;
  private static final String AUTO = "auto";

  /** What it was called before; in this release. */
  private static final String MEASURE = "measure";

  private static final String AT_LEAST = "at-least";
  private static final String AT_MOST = "at-most";

  private TargetsReader() {}

  static List<TargetConfiguration> read(DocumentNode node) {
    DocumentMap written = node.openMap();
    List<TargetConfiguration> targets = new ArrayList<>();
    for (Map.Entry<String, DocumentNode> entry : written.entries().entrySet()) {
      ConfigurationReader.checkName(written, entry.getKey());
      targets.add(target(entry.getKey(), entry.getValue()));
    }
    if (targets.isEmpty() || targets.size() > TARGETS_MAX) {
      throw node.error("expected 1 to " + TARGETS_MAX + " targets");
    }
    return targets;
  }

  private static TargetConfiguration target(String name, DocumentNode node) {
    DocumentMap map = node.map("capacity", "workers", "pace");
    DocumentNode capacity = map.required("capacity");
    DocumentNode workersNode = map.optional("workers");
    boolean auto = isAuto(capacity);
    int workers =
        workersNode == null
            ? TargetConfiguration.workersUnsaid(auto)
            : (int) workersNode.whole(1, WORKERS_MAX);
    return new TargetConfiguration(
        auto ? TargetConfiguration.unsaid(name) : capacity(name, capacity),
        auto ? bounds(capacity, workers) : null,
        workers,
        ConfigurationReader.flag(map.optional("pace"), true));
  }

  private static boolean isAuto(DocumentNode node) {
    if (node.isMap()) {
      Set<String> keys = node.openMap().entries().keySet();
      return keys.contains(AT_LEAST) || keys.contains(AT_MOST);
    }
    if (node.text().equals(MEASURE)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "\"capacity: measure\" is called \"capacity: auto\" now; the next release knows only"
              + " that");
      return true;
    }
    return node.text().equals(AUTO);
  }

  private static CapacityBounds bounds(DocumentNode node, int workers) {
    CapacityBounds none = CapacityBounds.none(workers);
    if (!node.isMap()) {
      return none;
    }
    DocumentMap map = node.map(AT_LEAST, AT_MOST);
    DocumentNode least = map.optional(AT_LEAST);
    DocumentNode most = map.optional(AT_MOST);
    long leastPerSecond =
        least == null ? none.leastPerSecond() : rate(least, Quantities.Counted.BYTES).perSecond();
    long mostPerSecond =
        most == null ? none.mostPerSecond() : rate(most, Quantities.Counted.BYTES).perSecond();
    if (most != null && mostPerSecond < leastPerSecond) {
      throw most.error("expected no less than " + AT_LEAST);
    }
    return new CapacityBounds(leastPerSecond, mostPerSecond, workers);
  }

  private static Target capacity(String name, DocumentNode node) {
    if (!node.isMap()) {
      Quantities.CountedRate rate = rate(node, null);
      return new Target(name, rate.perSecond(), rate.unit());
    }
    DocumentMap both = node.map("bandwidth", "operations");
    long bytes = rate(both.required("bandwidth"), Quantities.Counted.BYTES).perSecond();
    DocumentNode operationsNode = both.required("operations");
    long operations = rate(operationsNode, Quantities.Counted.OPERATIONS).perSecond();
    long bytesPerOperation = Math.max(1, Math.round((double) bytes / operations));
    if (bytesPerOperation > TokenUnit.PRICE_MAX) {
      throw operationsNode.error(
          "expected at least one operation for each "
              + Quantities.formatBytes((double) TokenUnit.PRICE_MAX)
              + " of bandwidth");
    }
    return new Target(name, bytes, new TokenUnit(bytesPerOperation, 1));
  }

  private static Quantities.CountedRate rate(
      DocumentNode node, Quantities.@Nullable Counted expected) {
    Quantities.CountedRate rate;
    try {
      rate = Quantities.parseRate(node.text());
    } catch (IllegalArgumentException e) {
      throw node.error(expectation(expected));
    }
    boolean inRange = rate.perSecond() >= 1 && rate.perSecond() <= Rate.TOKENS_PER_SECOND_MAX;
    boolean right =
        expected == null ? rate.counted() != Quantities.Counted.TOKENS : rate.counted() == expected;
    if (!inRange || !right) {
      throw node.error(expectation(expected));
    }
    return rate;
  }

  private static String expectation(Quantities.@Nullable Counted expected) {
    if (expected == null) {
      return "expected auto, {at-least: 100 MB/s, at-most: 2 GB/s}, 500 MB/s, 20 kops/s or"
          + " {bandwidth: 500 MB/s, operations: 20 kops/s}; at most 2 TB/s";
    }
    return expected == Quantities.Counted.BYTES
        ? "expected 1 B/s to 2 TB/s, such as 500 MB/s"
        : "expected operations a second, such as 20 kops/s";
  }
}
