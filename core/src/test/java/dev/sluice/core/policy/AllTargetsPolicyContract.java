package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.progress.RandomJobs;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * What every policy that decides about all targets together must do, on random histories: decide
 * purely, whatever the order of its input; give no target's jobs more than the target has; decide
 * about nobody who is not there and explain everybody it decided about.
 */
public abstract class AllTargetsPolicyContract {
  protected abstract PolicyFactory factory();

  /** What policies of one kind tell about each job, beyond what all do. */
  protected void checkReason(Explanation.Reason reason) {
    assertThat(reason.figure("allocated").doubleValue()).isNotNegative();
  }

  @Test
  void decidesPurelyAndNeverGivesMoreThanThereIs() {
    SeededCases.forAll(EnduranceScale.of(100, 300), random -> replay(random, create()));
  }

  @Test
  void whatItRemembersSurvivesARestart() {
    SeededCases.forAll(
        100,
        random ->
            new KeptStates(factory().info(), random)
                .goOnAsBefore(create(), RandomJobs.cluster(random, 4)));
  }

  @Test
  void whatIsDamagedIsNotRead() {
    SeededCases.forAll(
        30,
        random ->
            new KeptStates(factory().info(), random)
                .refuseDamage(create(), RandomJobs.cluster(random, 4)));
  }

  private <S> void replay(RandomGenerator random, Policy<S> policy) {
    Cluster cluster = RandomJobs.cluster(random, 6);
    S state = policy.initialState(cluster);
    assertThat((Object) state).as("what is remembered at first").isNotNull();
    for (int step = 1; step <= 12; step++) {
      long now = step * RandomJobs.PERIOD_NANOS;
      Observation seen = RandomJobs.observation(random, cluster, 10, now);
      Step<S> once = policy.decide(state, seen);
      Step<S> again = policy.decide(state, shuffled(seen, random));

      assertThat(rows(again, cluster)).isEqualTo(rows(once, cluster));
      assertThat(again.explanation().reasons()).isEqualTo(once.explanation().reasons());
      assertThat(again.explanation().summary()).isEqualTo(once.explanation().summary());
      checkCapacities(once, cluster);
      checkExplanation(once, cluster, seen);
      state = once.next();
    }
  }

  private static Observation shuffled(Observation seen, RandomGenerator random) {
    List<String> names = new ArrayList<>(seen.targets().keySet());
    Collections.shuffle(names, new Random(random.nextLong()));
    Map<String, List<JobDemand>> targets = new LinkedHashMap<>();
    for (String name : names) {
      List<JobDemand> jobs = new ArrayList<>(seen.on(name));
      Collections.shuffle(jobs, new Random(random.nextLong()));
      targets.put(name, jobs);
    }
    return new Observation(
        seen.nowNanos(), seen.periodNanos(), seen.cluster(), targets, seen.ended());
  }

  private static void checkCapacities(Step<?> step, Cluster cluster) {
    for (Target target : cluster.targets()) {
      Shares shares = step.allocation().on(target.name());
      double perSecond = 0;
      for (int i = 0; i < shares.size(); i++) {
        if (shares.isLimited(i)) {
          perSecond += shares.tokensPerSecond(i);
        }
      }
      assertThat(perSecond).isLessThanOrEqualTo(target.tokensPerSecond() * (1 + 1e-12));
    }
  }

  private void checkExplanation(Step<?> step, Cluster cluster, Observation seen) {
    Set<JobId> there = new HashSet<>();
    Set<JobId> wanting = new HashSet<>();
    Set<JobId> listed = new HashSet<>();
    for (Target target : cluster.targets()) {
      for (JobDemand demand : seen.on(target.name())) {
        there.add(demand.job());
        if (demand.wantedTokens() > 0) {
          wanting.add(demand.job());
        }
      }
      Shares shares = step.allocation().on(target.name());
      for (int i = 0; i < shares.size(); i++) {
        listed.add(shares.job(i));
      }
    }
    Set<JobId> explained = new HashSet<>();
    for (Explanation.Reason reason : step.explanation().reasons()) {
      assertThat(explained.add(reason.job())).as("told once").isTrue();
      assertThat(reason.words()).isNotBlank();
      checkReason(reason);
    }
    assertThat(explained).containsAll(wanting).containsAll(listed);
    assertThat(there).containsAll(explained);
    assertThat(step.explanation().summary()).isNotBlank();
  }

  /** Refuses what targets t1 and t2 report. */
  protected final void refused(Map<String, List<JobDemand>> targets, String message) {
    refused(create(), targets, message);
  }

  private static <S> void refused(
      Policy<S> policy, Map<String, List<JobDemand>> targets, String message) {
    Cluster cluster =
        new Cluster(
            List.of(
                new Target("t1", 100, TokenUnit.BYTES), new Target("t2", 100, TokenUnit.BYTES)));
    S state = policy.initialState(cluster);
    Observation seen =
        new Observation(
            RandomJobs.PERIOD_NANOS, RandomJobs.PERIOD_NANOS, cluster, targets, List.of());
    assertThatThrownBy(() -> policy.decide(state, seen))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  private Policy<?> create() {
    return factory().create(new Settings(factory().info(), Map.of()));
  }

  private static List<String> rows(Step<?> step, Cluster cluster) {
    List<String> rows = new ArrayList<>();
    for (Target target : cluster.targets()) {
      Shares shares = step.allocation().on(target.name());
      for (int i = 0; i < shares.size(); i++) {
        rows.add(
            target.name() + " " + shares.job(i) + " " + shares.tokens(i) + " " + shares.weight(i));
      }
    }
    return rows;
  }
}
