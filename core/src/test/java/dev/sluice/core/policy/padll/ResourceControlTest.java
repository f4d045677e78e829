package dev.sluice.core.policy.padll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ResourceControlTest {
  private static final long SECOND = 1_000_000_000L;
  private static final PadllAlgorithm PSFA = PadllAlgorithm.named("psfa");

  /** The cycle between what stages tell and the algorithm changes nothing. */
  @Test
  void itDividesAsTheAlgorithmDoes() {
    SeededCases.forAll(
        500,
        random -> {
          PadllAlgorithm algorithm = RandomUses.algorithm(random);
          Resource resource = RandomUses.resource(random);
          ResourceControl control = new ResourceControl(algorithm, resource, 0);
          ResourceDivision expected = ResourceDivision.none(resource);
          for (int second = 1; second <= 8; second++) {
            if (random.nextInt(4) == 0) {
              resource = RandomUses.resource(random);
            }
            List<JobUse> jobs = RandomUses.jobs(random, resource, 6);
            expected = expected.next(algorithm, resource, jobs);
            ResourceDivision division = control.divide(resource, jobs, second * SECOND);
            checkSame(division, expected);
            assertThat(control.division()).isSameAs(division);
          }
        });
  }

  private static void checkSame(ResourceDivision division, ResourceDivision expected) {
    assertThat(division.resource()).isEqualTo(expected.resource());
    assertThat(division.size()).isEqualTo(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      JobUse use = expected.use(i);
      assertThat(division.job(i)).isEqualTo(use.job());
      assertThat(division.use(i).priority()).isEqualTo(use.priority());
      assertThat(division.use(i).demandPerSecond()).isEqualTo(use.demandPerSecond());
      assertThat(division.use(i).usagePerSecond())
          .isEqualTo(use.usagePerSecond(), rounding(use.usagePerSecond()));
      assertThat(division.rate(i))
          .isEqualTo(expected.rate(i), rounding((double) expected.resource().maximumPerSecond()));
    }
  }

  private static Offset<Double> rounding(double of) {
    return within(1e-9 * of);
  }

  @Test
  void itIsOfBytesOrOfOperationsAsItsResourceIs() {
    for (Counted counted : List.of(Counted.BYTES, Counted.OPERATIONS)) {
      Resource resource = new Resource("data", 10, counted);
      ResourceControl control = new ResourceControl(PSFA, resource, 0);
      assertThat(control.division().resource()).isEqualTo(resource);
      assertThat(control.divide(resource, List.of(), SECOND).resource()).isEqualTo(resource);
    }
  }

  @Test
  void whatIsAssignedIsRoundedAndWhatIsUsedBounded() {
    Resource resource = new Resource("data", 10, Counted.BYTES);
    JobUse greedy = new JobUse(JobId.of("a"), 2.6, JobUse.USAGE_PER_SECOND_MAX, 7);
    JobUse use =
        new ResourceControl(PSFA, resource, 0).divide(resource, List.of(greedy), SECOND).use(0);
    assertThat(use).isEqualTo(new JobUse(JobId.of("a"), 3, (double) JobDemand.TOKENS_MAX, 7));
  }
}
