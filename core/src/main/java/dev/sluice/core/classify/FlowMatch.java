package dev.sluice.core.classify;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on a request that must all hold, such as {@code user=alice export=/home* class!=data}.
 *
 * <p>Written with blanks between conditions. Each is {@code key=value,value…}, true when one of the
 * values fits, or {@code key!=value,value…}, true when none does; a key appears once. The keys job,
 * user, group, export and target take any text, in which {@code *} stands for any run of
 * characters; client takes addresses and networks such as 10.1.0.0/16; operation and class take the
 * names that {@link Operation#text} and {@link dev.sluice.core.model.OperationClass#text} give. A
 * value in double quotes is taken literally; in it, {@code \"} stands for a quote and {@code \\}
 * for a backslash.
 *
 * <p>Two matches are equal when they have the same conditions with the same values, in any order.
 * Immutable, and matching leaves no garbage.
 */
public final class FlowMatch {
  /** A bound on the alternatives in one condition. */
  public static final int VALUES_MAX = 1_000;

  /** A bound on one value: the longest path that Linux takes. */
  public static final int VALUE_LENGTH_MAX = 4_096;

  /** No condition: matches every request. */
  public static final FlowMatch ANY = new FlowMatch(Map.of());

  private final EnumMap<Key, Condition> byKey;
  private final Condition[] conditions;

  FlowMatch(Map<Key, Condition> byKey) {
    this.byKey = new EnumMap<>(Key.class);
    this.byKey.putAll(byKey);
    this.conditions = this.byKey.values().toArray(new Condition[0]);
  }

  /**
   * Reads conditions; no text is {@link #ANY}.
   *
   * @throws RuleSyntaxException with the column and what was expected there
   */
  public static FlowMatch parse(String text) {
    return new RuleParser(text, 1).matchAlone();
  }

  /** Matches the requests of one job. */
  public static FlowMatch ofJob(JobId job) {
    Alternatives only = Alternatives.Texts.of(Key.JOB, List.of(job.toString()), List.of());
    return new FlowMatch(Map.of(Key.JOB, new Condition(Key.JOB, false, only)));
  }

  public boolean matches(Flow flow, Operation operation) {
    for (Condition condition : conditions) {
      if (!condition.holds(flow, operation)) {
        return false;
      }
    }
    return true;
  }

  /** What its conditions are about, by the names that people write. */
  public Set<String> keys() {
    return byKey.keySet().stream().map(Key::text).collect(Collectors.toUnmodifiableSet());
  }

  /**
   * What a condition asks, for whoever has to say it in another language.
   *
   * @param negated whether none of the values may fit
   * @param values without quotes, in an order of their own; a {@code *} may stand for anything
   */
  public record Asked(boolean negated, List<String> values) {}

  /** What is asked about this; null where nothing is. */
  public @Nullable Asked asked(String key) {
    Key known = Key.named(key);
    Condition condition = known == null ? null : byKey.get(known);
    if (condition == null) {
      return null;
    }
    if (condition.alternatives() instanceof Alternatives.Texts texts) {
      List<String> values = new ArrayList<>(texts.exact().stream().sorted().toList());
      texts.wildcards().forEach(wildcard -> values.add(wildcard.toString()));
      return new Asked(condition.negated(), values);
    }
    return new Asked(condition.negated(), condition.alternatives().texts());
  }

  /**
   * The only jobs whose requests can match, when the conditions name them one by one; empty when
   * there is no such list, because of a wildcard, a negation or no condition on the job at all.
   */
  public Set<JobId> exactJobs() {
    Condition condition = byKey.get(Key.JOB);
    if (condition != null
        && !condition.negated()
        && condition.alternatives() instanceof Alternatives.Texts jobs
        && jobs.wildcards().isEmpty()) {
      return jobs.exact().stream().map(JobId::of).collect(Collectors.toUnmodifiableSet());
    }
    return Set.of();
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof FlowMatch that && byKey.equals(that.byKey));
  }

  @Override
  public int hashCode() {
    return byKey.hashCode();
  }

  // Theorem: parse(match.toString()).equals(match), and equal matches have the same text.
  @Override
  public String toString() {
    Collection<Condition> all = byKey.values();
    return all.stream().map(Condition::toString).collect(Collectors.joining(" "));
  }
}
