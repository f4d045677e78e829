package dev.sluice.core.policy.padll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyContract;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PadllPolicyTest {
  private static final Target METADATA = new Target("metadata", 110_000, TokenUnit.OPERATIONS);

  private static PolicyFactory named(String name) {
    return PadllFactory.all().stream()
        .filter(factory -> factory.info().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Step<?> decide(String name, Target target, long periodNanos, JobDemand... jobs) {
    PolicyFactory factory = named(name);
    Policy<?> policy = factory.create(new Settings(factory.info(), Map.of()));
    return first(policy, Observation.of(target, periodNanos, periodNanos, List.of(jobs)));
  }

  private static <S> Step<S> first(Policy<S> policy, Observation seen) {
    return policy.decide(policy.initialState(seen.cluster()), seen);
  }

  @Nested
  class Uniform extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("uniform");
    }
  }

  @Nested
  class Priority extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("priority");
    }
  }

  @Nested
  class Proportional extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("proportional");
    }
  }

  @Nested
  class Psfa extends PolicyContract {
    @Override
    protected PolicyFactory factory() {
      return named("psfa");
    }
  }

  @Test
  void usageIsWhatWasWantedInAPeriodAndDemandIsWhatIsReserved() {
    JobDemand a = new JobDemand(JobId.of("a"), 1, 8_000, 1_000).withReserved(15_000);
    JobDemand b = new JobDemand(JobId.of("b"), 1, 50_000, 0).withReserved(95_000).withWeight(3);
    Step<?> step = decide("psfa", METADATA, 500_000_000, a, b);
    List<Explanation.Reason> reasons = step.explanation().reasons();
    assertThat(reasons.getFirst().figures())
        .containsEntry("demand", 15_000.0)
        .containsEntry("usage", 18_000.0)
        .containsEntry("priority", 1L)
        .containsEntry("allocated", 15_000.0);
    assertThat(reasons.getLast().figures())
        .containsEntry("usage", 100_000.0)
        .containsEntry("priority", 3L)
        .containsEntry("allocated", 95_000.0);
    Shares shares = step.allocation().on("metadata");
    assertThat(shares.tokensPerSecond(0)).isEqualTo(15_000);
  }

  @Test
  void whereNothingIsReservedDemandsFollowWeights() {
    Step<?> step =
        decide(
            "proportional",
            new Target("scratch", 500_000_000, TokenUnit.BYTES),
            1_000_000_000,
            JobDemand.of("a", 1, 5).withWeight(3),
            JobDemand.of("b", 1, 5));
    assertThat(step.allocation().on("scratch").tokens(0)).isEqualTo(375_000_000);
    assertThat(step.explanation().summary())
        .isEqualTo("2 jobs share 500 MB/s of scratch by demand");
    assertThat(step.explanation().reasons().getFirst().words())
        .isEqualTo("demands 375 MB/s; may use 375 MB/s");
  }

  @Test
  void summariesTellByWhatIsDivided() {
    JobDemand one = JobDemand.of("a", 1, 5_000).withReserved(55_000).withWeight(2);
    JobDemand two = JobDemand.of("b", 1, 60_000).withReserved(75_000);
    assertThat(decide("uniform", METADATA, 1_000_000_000, one, two).explanation().summary())
        .isEqualTo("2 jobs share 110 kops/s of metadata alike");
    assertThat(decide("priority", METADATA, 1_000_000_000, one, two).explanation().summary())
        .isEqualTo("2 jobs share 110 kops/s of metadata by priority");
    assertThat(decide("psfa", METADATA, 1_000_000_000, one).explanation().summary())
        .isEqualTo("1 job has 110 kops/s of metadata by demand and usage");
    assertThat(decide("psfa", METADATA, 1_000_000_000).explanation().summary())
        .isEqualTo("no job is there: nobody is limited on metadata");
    assertThat(words("uniform", one, two))
        .containsExactly(
            "may use 55 kops/s, as everybody may, whether it does or not",
            "may use 55 kops/s, as everybody may, whether it does or not");
    assertThat(words("priority", one, two).getLast())
        .isEqualTo("may use 36.7 kops/s by its priority of 1, whether it does or not");
    assertThat(words("proportional", one, two))
        .containsExactly(
            "demands 55 kops/s; may use 55 kops/s",
            "demands 75 kops/s; may use 55 kops/s, as more is demanded than there is");
    JobDemand both = JobDemand.of("a", 1, 75_000).withReserved(75_000);
    assertThat(words("psfa", both, JobDemand.of("b", 1, 75_000).withReserved(75_000)))
        .contains(
            "uses 75 kops/s and demands 75 kops/s; may use 55 kops/s, as more is demanded than"
                + " there is");
  }

  @Test
  void onlyWhoGoesByUsageNeedsToKnowIt() {
    for (PolicyFactory factory : PadllFactory.all()) {
      assertThat(factory.info().needs().contains(PolicyInfo.Need.DEMAND))
          .isEqualTo(factory.info().name().equals("psfa"));
    }
  }

  @Test
  void whatIsKeptForOthersIsSaid() {
    PolicyFactory factory = named("uniform");
    Policy<?> policy = factory.create(new Settings(factory.info(), Map.of("jobs", "4")));
    Step<?> step =
        first(
            policy,
            Observation.of(
                METADATA, 1_000_000_000, 1_000_000_000, List.of(JobDemand.of("a", 1, 5))));
    assertThat(step.explanation().summary())
        .isEqualTo(
            "1 job has 110 kops/s of metadata alike; 82.5 kops/s are kept for jobs that are not"
                + " there");
  }

  @Test
  void whatIsRoundedOffIsNotKeptForOthers() {
    Target large = new Target("data", Rate.TOKENS_PER_SECOND_MAX, TokenUnit.BYTES);
    for (int count = 1; count < 40; count++) {
      JobDemand[] jobs = new JobDemand[count];
      for (int i = 0; i < count; i++) {
        jobs[i] = JobDemand.of("job" + i, 1, 5);
      }
      assertThat(decide("uniform", large, 1_000_000_000, jobs).explanation().summary())
          .endsWith("of data alike");
    }
  }

  @Test
  void aLongPeriodHasTheTokensOfAllItsSeconds() {
    Step<?> step = decide("uniform", METADATA, 4_000_000_000L, JobDemand.of("a", 1, 5));
    assertThat(step.allocation().on("metadata").tokens(0)).isEqualTo(440_000);
  }

  private static List<String> words(String name, JobDemand... jobs) {
    return decide(name, METADATA, 1_000_000_000, jobs).explanation().reasons().stream()
        .map(Explanation.Reason::words)
        .toList();
  }

  @Test
  void wordsTellWhereARateComesFrom() {
    JobDemand idle = JobDemand.of("a", 1, 5_000).withReserved(55_000);
    JobDemand busy = JobDemand.of("b", 1, 60_000).withReserved(55_000);
    List<Explanation.Reason> reasons =
        decide("psfa", METADATA, 1_000_000_000, idle, busy).explanation().reasons();
    assertThat(reasons.getFirst().words())
        .isEqualTo(
            "uses 5 kops/s and demands 55 kops/s; may use 13.5 kops/s, and others have the rest"
                + " while it does not use it");
    assertThat(reasons.getLast().words())
        .isEqualTo(
            "uses 60 kops/s and demands 55 kops/s; may use 96.5 kops/s, of which others leave it"
                + " 41.5 kops/s");
  }
}
