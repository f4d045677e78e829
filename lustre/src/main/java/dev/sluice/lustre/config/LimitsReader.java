package dev.sluice.lustre.config;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.tbf.RequestMatch;
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

  /**
   * Reads it.
   *
   * @param decides whether a policy decides about jobs, for which the filter must go by job
   */
  static List<JobLimit> read(@Nullable DocumentNode node, LustreService service, boolean decides) {
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
      DocumentNode written = map.required("match");
      FlowMatch match = written.parsed(text -> FlowMatch.parse(RequestLimits.known(text)));
      boolean needsRequests = RequestLimits.needsRequests(written.text(), match);
      boolean aboutRequests = needsRequests || (!decides && RequestLimits.namesNumbers(match));
      if (decides && (needsRequests || !KNOWN.containsAll(match.keys()))) {
        throw written.error(
            "expected conditions on job, user and target, because a policy decides about jobs and"
                + " the filter goes by job then; other limits need policy: none");
      }
      if (!aboutRequests && !KNOWN.containsAll(match.keys())) {
        throw written.error("expected conditions on job, user, group, operation, class or target");
      }
      limits.add(
          new JobLimit(
              name.text(),
              match,
              LustreConfigurationReader.operations(
                  map.required("rate"), LustreConfigurationReader.CAPACITY_MAX),
              aboutRequests
                  ? written.parsed(text -> RequestLimits.translate(text, match, service))
                  : null));
    }
    requireOneKind(node, limits);
    if (limits.size() > LIMITS_MAX) {
      throw node.error("expected at most " + LIMITS_MAX + " limits");
    }
    return limits;
  }

  /** A filter goes by one set of fields, and each combination of them has a bucket of its own. */
  private static void requireOneKind(DocumentNode node, List<JobLimit> limits) {
    Set<Set<String>> kinds = new HashSet<>();
    for (JobLimit limit : limits) {
      RequestMatch requests = limit.requests();
      kinds.add(requests == null ? Set.of() : requests.fields());
    }
    if (kinds.size() > 1) {
      throw node.error(
          "expected limits that all ask about the same: a service has one filter, and that goes by"
              + " the same for all its rules");
    }
  }
}
