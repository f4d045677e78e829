package dev.sluice.jobs.slurm;

import dev.sluice.core.classify.Wildcard;
import dev.sluice.core.policy.JobClaim;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Says what certain jobs weigh. A condition is a name, or a pattern with {@code *} in it; all that
 * are there must hold.
 *
 * @param weight what they weigh, or each of their nodes
 */
public record WeightRule(
    @Nullable String account,
    @Nullable String qos,
    @Nullable String user,
    long weight,
    boolean forEachNode) {
  /** The weight by the first rule that holds; empty when none does. */
  static OptionalLong weight(List<WeightRule> rules, SlurmJob job) {
    for (WeightRule rule : rules) {
      if (rule.holdsFor(job)) {
        long nodes = rule.forEachNode ? Math.max(1, job.nodeCount()) : 1;
        return OptionalLong.of(Math.min(JobClaim.NODES_MAX, rule.weight * nodes));
      }
    }
    return OptionalLong.empty();
  }

  private boolean holdsFor(SlurmJob job) {
    return fits(account, job.account()) && fits(qos, job.qos()) && fits(user, job.user());
  }

  private static boolean fits(@Nullable String pattern, String name) {
    if (pattern == null) {
      return true;
    }
    return pattern.indexOf('*') < 0 ? pattern.equals(name) : Wildcard.parse(pattern).matches(name);
  }
}
