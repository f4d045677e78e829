package dev.sluice.core.policy.progress;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decisions about jobs that are written as the lists of who is on which target. */
public final class Decisions {
  private static final long TOKENS_PER_SECOND = 100;
  private static final long PERIOD_NANOS = 10_000_000_000L;

  private final Step<?> step;

  private Decisions(Step<?> step) {
    this.step = step;
  }

  /** One decision about jobs of one node and one process on each target. */
  public static Decisions of(
      PolicyFactory factory, Map<String, String> settings, Map<String, List<String>> jobs) {
    return of(factory, settings, jobs, Map.of());
  }

  /** One decision about jobs with so many nodes. */
  public static Decisions of(
      PolicyFactory factory,
      Map<String, String> settings,
      Map<String, List<String>> jobs,
      Map<String, Long> nodes) {
    return decide(create(factory, settings), List.of(jobs), nodes).getFirst();
  }

  /** A decision after each of these. */
  public static List<Decisions> sequence(
      PolicyFactory factory, Map<String, String> settings, List<Map<String, List<String>>> steps) {
    return decide(create(factory, settings), steps, Map.of());
  }

  private static Policy<?> create(PolicyFactory factory, Map<String, String> settings) {
    return factory.create(new Settings(factory.info(), settings));
  }

  private static <S> List<Decisions> decide(
      Policy<S> policy, List<Map<String, List<String>>> steps, Map<String, Long> nodes) {
    List<Target> targets =
        steps.getFirst().keySet().stream()
            .sorted()
            .map(name -> new Target(name, TOKENS_PER_SECOND, TokenUnit.BYTES))
            .toList();
    Cluster cluster = new Cluster(targets);
    S state = policy.initialState(cluster);
    List<Decisions> decided = new ArrayList<>();
    for (Map<String, List<String>> step : steps) {
      Map<String, List<JobDemand>> seen = new TreeMap<>();
      step.forEach((target, jobs) ->
          seen.put(
              target,
              jobs.stream()
                  .map(job -> JobDemand.of(job, nodes.getOrDefault(job, 1L), 1))
                  .toList()));
      long now = (decided.size() + 1) * PERIOD_NANOS;
      Step<S> next =
          policy.decide(state, new Observation(now, PERIOD_NANOS, cluster, seen, List.of()));
      state = next.next();
      decided.add(new Decisions(next));
    }
    return decided;
  }

  /** The rate of one process of each job, as a part of a target. */
  public Map<String, Double> rates() {
    return figures("allocated");
  }

  /** A figure of each job, as a part of a target. */
  public Map<String, Double> figures(String name) {
    Map<String, Double> figures = new TreeMap<>();
    for (Explanation.Reason reason : step.explanation().reasons()) {
      figures.put(reason.job().toString(), reason.figure(name).doubleValue() / TOKENS_PER_SECOND);
    }
    return figures;
  }

  /** The whole tokens that each job may use of a target in a period of 10 s, of 1,000. */
  public Map<String, Long> tokens(String target) {
    Map<String, Long> tokens = new TreeMap<>();
    Shares shares = step.allocation().on(target);
    for (int i = 0; i < shares.size(); i++) {
      tokens.put(shares.job(i).toString(), (long) shares.tokens(i));
    }
    return tokens;
  }

  public String summary() {
    return step.explanation().summary();
  }

  /** What is said about each job, in ascending order of job id. */
  public List<String> words() {
    return step.explanation().reasons().stream().map(Explanation.Reason::words).toList();
  }

  /** Figures of the decision as a whole, and of how things stand after it. */
  public Map<String, Number> totals() {
    Map<String, Number> totals = new TreeMap<>(step.explanation().amounts());
    totals.putAll(step.explanation().levels());
    return totals;
  }
}
