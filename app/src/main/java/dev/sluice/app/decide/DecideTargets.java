package dev.sluice.app.decide;

import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Quantities.CountedRate;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.document.DocumentNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The targets of a document, by name: either all with a unit, or all as plain numbers, which are
 * parts of whatever the writer has in mind.
 *
 * @param unit how much of the document's unit a token a second is
 */
record DecideTargets(Cluster cluster, Counted counted, double unit) {
  private static final Pattern PLAIN = Pattern.compile("[0-9]+(\\.[0-9]+)?");
  private static final int TARGETS_MAX = 100_000;

  /** Small enough that what is rounded to whole tokens cannot be seen. */
  private static final long PARTS_MAX = 1_000_000_000L;

  static DecideTargets read(DocumentNode node) {
    Map<String, DocumentNode> entries = node.openMap().entries();
    if (entries.isEmpty() || entries.size() > TARGETS_MAX) {
      throw node.error("expected 1 to " + TARGETS_MAX + " targets with their capacities");
    }
    entries.forEach((name, capacity) -> {
      if (name.isEmpty()) {
        throw capacity.error("expected a name as the key");
      }
    });
    boolean plain = PLAIN.matcher(entries.values().iterator().next().text()).matches();
    return plain ? plain(entries) : withUnit(entries);
  }

  private static DecideTargets withUnit(Map<String, DocumentNode> entries) {
    List<Target> targets = new ArrayList<>();
    Counted counted = entries.values().iterator().next().rate().counted();
    entries.forEach((name, node) -> {
      CountedRate capacity = node.rate();
      if (capacity.counted() != counted || PLAIN.matcher(node.text()).matches()) {
        throw node.error("expected a capacity in the same unit as the first");
      }
      if (capacity.perSecond() < 1 || capacity.perSecond() > Rate.TOKENS_PER_SECOND_MAX) {
        throw node.error("expected a capacity of 1 to " + Rate.TOKENS_PER_SECOND_MAX + " a second");
      }
      targets.add(new Target(name, capacity.perSecond(), capacity.unit()));
    });
    return new DecideTargets(new Cluster(targets), counted, 1);
  }

  private static DecideTargets plain(Map<String, DocumentNode> entries) {
    Map<String, BigDecimal> capacities = new LinkedHashMap<>();
    BigDecimal largest = BigDecimal.ZERO;
    for (Map.Entry<String, DocumentNode> entry : entries.entrySet()) {
      DocumentNode node = entry.getValue();
      if (!PLAIN.matcher(node.text()).matches()) {
        throw node.error("expected a plain number, as the first capacity is one");
      }
      BigDecimal capacity = new BigDecimal(node.text());
      capacities.put(entry.getKey(), capacity);
      largest = largest.max(capacity);
    }
    BigDecimal most = BigDecimal.valueOf(Rate.TOKENS_PER_SECOND_MAX);
    long parts = PARTS_MAX;
    while (parts > 1 && largest.multiply(BigDecimal.valueOf(parts)).compareTo(most) > 0) {
      parts /= 10;
    }
    List<Target> targets = new ArrayList<>();
    for (Map.Entry<String, BigDecimal> entry : capacities.entrySet()) {
      BigDecimal tokens = entry.getValue().multiply(BigDecimal.valueOf(parts));
      if (tokens.compareTo(BigDecimal.ONE) < 0 || tokens.compareTo(most) > 0) {
        throw error(entries, entry.getKey());
      }
      targets.add(new Target(entry.getKey(), tokens.longValue(), TokenUnit.BYTES));
    }
    return new DecideTargets(new Cluster(targets), Counted.TOKENS, 1.0 / parts);
  }

  private static RuntimeException error(Map<String, DocumentNode> entries, String name) {
    DocumentNode node = entries.get(name);
    return node == null
        ? new IllegalStateException("no target " + name)
        : node.error(
            "expected a capacity above 0, not too far below the largest, and at most "
                + Rate.TOKENS_PER_SECOND_MAX);
  }
}
