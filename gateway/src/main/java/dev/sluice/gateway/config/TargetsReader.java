package dev.sluice.gateway.config;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code targets}. */
final class TargetsReader {
  private static final int TARGETS_MAX = 1_000;
  private static final int WORKERS = 8;
  private static final int WORKERS_MAX = 1_024;
  private static final String MEASURE = "measure";

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
    boolean known = capacity.isMap() || !capacity.text().equals(MEASURE);
    DocumentNode workers = map.optional("workers");
    DocumentNode paceNode = map.optional("pace");
    if (paceNode != null && paceNode.bool() && !known) {
      throw paceNode.error("expected false while the capacity is not known");
    }
    return new TargetConfiguration(
        known ? capacity(name, capacity) : TargetConfiguration.unmeasured(name),
        known,
        workers == null ? WORKERS : (int) workers.whole(1, WORKERS_MAX),
        ConfigurationReader.flag(paceNode, known));
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
      return "expected 500 MB/s, 20 kops/s, {bandwidth: 500 MB/s, operations: 20 kops/s} or"
          + " measure; at most 2 TB/s";
    }
    return expected == Quantities.Counted.BYTES
        ? "expected 1 B/s to 2 TB/s, such as 500 MB/s"
        : "expected operations a second, such as 20 kops/s";
  }
}
