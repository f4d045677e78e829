package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * What every policy that treats each target alone must do, on random histories: decide purely,
 * whatever the order of its input; give nobody a negative share; explain every job it decided
 * about.
 */
public abstract class PolicyContract {
  private static final long PERIOD_NANOS = 100_000_000;

  protected abstract PolicyFactory factory();

  @Test
  void equalInputsGiveEqualOutputsWhateverTheirOrder() {
    SeededCases.forAll(EnduranceScale.of(200, 500), random -> replay(random, create()));
  }

  @Test
  void whatItRemembersSurvivesARestart() {
    SeededCases.forAll(
        200,
        random -> new KeptStates(factory().info(), random).goOnAsBefore(create(), cluster(random)));
  }

  @Test
  void whatIsDamagedIsNotRead() {
    SeededCases.forAll(
        30,
        random -> new KeptStates(factory().info(), random).refuseDamage(create(), cluster(random)));
  }

  private static Cluster cluster(RandomGenerator random) {
    return Cluster.of(new Target("t \"1\"", random.nextLong(1, 20_000), TokenUnit.OPERATIONS));
  }

  private <S> void replay(RandomGenerator random, Policy<S> policy) {
    Target target = new Target("t", random.nextLong(1, 20_000), TokenUnit.OPERATIONS);
    S state = policy.initialState(Cluster.of(target));
    assertThat((Object) state).as("what is remembered at first").isNotNull();
    long now = 0;
    for (int step = 0; step < 20; step++) {
      now += PERIOD_NANOS;
      List<JobDemand> jobs = randomJobs(random);
      Step<S> once = policy.decide(state, Observation.of(target, now, PERIOD_NANOS, jobs));
      Collections.shuffle(jobs, new Random(random.nextLong()));
      Step<S> again = policy.decide(state, Observation.of(target, now, PERIOD_NANOS, jobs));

      assertThat(rows(again)).isEqualTo(rows(once));
      assertThat(again.explanation().reasons()).isEqualTo(once.explanation().reasons());
      assertThat(again.explanation().summary()).isEqualTo(once.explanation().summary());
      checkExplanation(once, jobs);
      state = once.next();
    }
  }

  private static void checkExplanation(Step<?> step, List<JobDemand> jobs) {
    Set<JobId> there = new HashSet<>();
    jobs.forEach(demand -> there.add(demand.job()));
    Shares shares = step.allocation().on("t");
    Set<JobId> explained = new HashSet<>();
    for (Explanation.Reason reason : step.explanation().reasons()) {
      assertThat(explained.add(reason.job())).isTrue();
      assertThat(reason.figure("allocated").doubleValue()).isNotNegative();
      assertThat(reason.words()).isNotBlank();
    }
    assertThat(there).containsAll(explained);
    for (int i = 0; i < shares.size(); i++) {
      assertThat(explained).contains(shares.job(i));
    }
    assertThat(step.explanation().summary()).isNotBlank();
  }

  private Policy<?> create() {
    return factory().create(new Settings(factory().info(), Map.of()));
  }

  private static List<JobDemand> randomJobs(RandomGenerator random) {
    List<JobDemand> jobs = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      if (random.nextInt(4) > 0) {
        long demand = random.nextBoolean() ? random.nextLong(0, 3_000) : 0;
        long backlog = random.nextInt(3) == 0 ? random.nextLong(0, 100) : 0;
        jobs.add(new JobDemand(JobId.of("job" + i), random.nextLong(1, 100), demand, backlog));
      }
    }
    return jobs;
  }

  private static List<String> rows(Step<?> step) {
    List<String> rows = new ArrayList<>();
    Shares shares = step.allocation().on("t");
    for (int i = 0; i < shares.size(); i++) {
      rows.add(shares.job(i) + " " + shares.tokens(i) + " " + shares.weight(i));
    }
    return rows;
  }
}
