package dev.sluice.lustre.config;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the key {@code limits}, which is as a gateway's but for what a filter cannot tell. */
final class LimitsReader {
  private static final int LIMITS_MAX = 1_000;

  /** What is known of a job here; who sends its requests and what they ask for is not. */
  private static final Set<String> KNOWN = Set.of("job", "user", "target");

  private LimitsReader() {}

  static List<JobLimit> read(@Nullable DocumentNode node) {
    List<JobLimit> limits = new ArrayList<>();
    if (node == null) {
      return limits;
    }
    Set<String> names = new HashSet<>();
    for (DocumentNode item : node.list()) {
      DocumentMap map = item.map("name", "match", "rate");
      DocumentNode name = map.required("name");
      if (name.text().isEmpty() || !names.add(name.text())) {
        throw name.error("expected a name of its own");
      }
      FlowMatch match = map.required("match").parsed(FlowMatch::parse);
      if (!KNOWN.containsAll(match.keys())) {
        throw map.required("match")
            .error("expected conditions on job, user and target: rules by job know nothing else");
      }
      limits.add(
          new JobLimit(
              name.text(),
              match,
              LustreConfigurationReader.operations(
                  map.required("rate"), LustreConfigurationReader.CAPACITY_MAX)));
    }
    if (limits.size() > LIMITS_MAX) {
      throw node.error("expected at most " + LIMITS_MAX + " limits");
    }
    return limits;
  }
}
