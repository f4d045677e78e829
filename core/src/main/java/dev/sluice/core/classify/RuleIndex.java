package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An ordered list of rules in which the first that matches is found without a look at those that
 * name other jobs.
 *
 * <p>A site may have a rule for each of its running jobs, and a request must not pay for the
 * others'. Rules whose match names its jobs one by one are found by hash; only the rest, and those
 * that name this very job, are tried. Immutable, and a search leaves no garbage.
 */
public final class RuleIndex<R> {
  /** A bound on the list. */
  public static final int RULES_MAX = 1 << 20;

  private static final int[] NONE = {};

  private final List<R> rules;
  private final FlowMatch[] matches;

  /** Positions, in order, of the rules that do not name their jobs. */
  private final int[] general;

  /** Positions, in order, of the rules that name this job. */
  private final Map<JobId, int[]> byJob;

  private RuleIndex(List<R> rules, FlowMatch[] matches, int[] general, Map<JobId, int[]> byJob) {
    this.rules = rules;
    this.matches = matches;
    this.general = general;
    this.byJob = byJob;
  }

  /** An index of these rules in this order, each with its match. */
  public static <R> RuleIndex<R> of(List<R> rules, Function<R, FlowMatch> match) {
    if (rules.size() > RULES_MAX) {
      throw new IllegalArgumentException(
          "expected at most " + RULES_MAX + " rules, not " + rules.size());
    }
    List<R> ordered = List.copyOf(rules);
    FlowMatch[] matches = ordered.stream().map(match).toArray(FlowMatch[]::new);
    List<Integer> general = new ArrayList<>();
    Map<JobId, List<Integer>> byJob = new HashMap<>();
    for (int i = 0; i < matches.length; i++) {
      var jobs = matches[i].exactJobs();
      if (jobs.isEmpty()) {
        general.add(i);
      }
      for (JobId job : jobs) {
        byJob.computeIfAbsent(job, _ -> new ArrayList<>()).add(i);
      }
    }
    Map<JobId, int[]> positionsByJob = HashMap.newHashMap(byJob.size());
    byJob.forEach((job, positions) -> positionsByJob.put(job, toArray(positions)));
    return new RuleIndex<>(ordered, matches, toArray(general), positionsByJob);
  }

  // Theorem: the answer is the first rule of the list whose match holds, as in a scan of them all.
  //
  // A rule that is passed over names its jobs, and this job is not among them, so it cannot match;
  // the others are tried in the order of the list, because both sequences are in it and are merged.
  public @Nullable R first(Flow flow, Operation operation) {
    int[] named = byJob.getOrDefault(flow.job(), NONE);
    int nextNamed = 0;
    int nextGeneral = 0;
    while (nextNamed < named.length || nextGeneral < general.length) {
      boolean namedIsNext =
          nextGeneral == general.length
              || (nextNamed < named.length && named[nextNamed] < general[nextGeneral]);
      int position = namedIsNext ? named[nextNamed++] : general[nextGeneral++];
      if (matches[position].matches(flow, operation)) {
        return rules.get(position);
      }
    }
    return null;
  }

  /** How many rules {@link #first} tries at most for a request of this job: what it can cost. */
  int candidates(JobId job) {
    return general.length + byJob.getOrDefault(job, NONE).length;
  }

  private static int[] toArray(List<Integer> positions) {
    return positions.stream().mapToInt(Integer::intValue).toArray();
  }
}
