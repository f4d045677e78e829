package dev.sluice.document;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Promises;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the keys {@code guarantees} and {@code goals}, which are the same in every kind of
 * document:
 *
 * <pre>
 * guarantees:
 *   - {user: alice, rate: 50 MB/s}
 * goals:
 *   - {group: interactive, p99: 20 ms}
 * </pre>
 */
public final class PromisesReader {
  private static final int GOALS_MAX = 100;

  private PromisesReader() {}

  /**
   * What is written in a document, unless it does not fit.
   *
   * @param targets those whose capacities are known
   */
  public static Promises read(DocumentMap map, List<Target> targets) {
    return new Promises(
        GuaranteesReader.read(map.optional("guarantees"), targets), goals(map.optional("goals")));
  }

  private static Goals goals(@Nullable DocumentNode node) {
    if (node == null) {
      return Goals.NONE;
    }
    List<Goal> read = new ArrayList<>();
    Set<String> whose = new HashSet<>();
    for (DocumentNode item : node.list()) {
      DocumentMap map = item.map("job", "user", "group", "account", "p99");
      Guarantee.Who who = GuaranteesReader.who(item, map);
      String name = GuaranteesReader.name(who, map);
      if (!whose.add(who + name)) {
        throw item.error("expected one goal for each " + who.text());
      }
      long nanos =
          map.required("p99").durationNanos(Goal.LATENCY_NANOS_MIN, Goal.LATENCY_NANOS_MAX);
      read.add(new Goal(who, name, nanos));
    }
    if (read.size() > GOALS_MAX) {
      throw node.error("expected at most " + GOALS_MAX + " goals");
    }
    return new Goals(read);
  }
}
