package dev.sluice.core.policy.padll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResourceDivisionTest {
  private static final Resource TEN = new Resource("open", 10, Counted.OPERATIONS);

  private static List<JobUse> jobs(String... names) {
    return List.of(names).stream().map(name -> new JobUse(JobId.of(name), 1, 0, 1)).toList();
  }

  @Test
  void theOddOneGoesRound() {
    PadllAlgorithm uniform = PadllAlgorithm.named("uniform");
    ResourceDivision division = ResourceDivision.none(TEN);
    long[] got = new long[3];
    for (int step = 1; step <= 30; step++) {
      division = division.next(uniform, TEN, jobs("a", "b", "c"));
      for (int i = 0; i < got.length; i++) {
        assertThat(division.wholePerSecond(i)).isBetween(3L, 4L);
        got[i] += division.wholePerSecond(i);
        assertThat((double) got[i]).isEqualTo(step * 10 / 3.0, within(1.0));
      }
    }
    assertThat(got).containsExactly(100, 100, 100);
  }

  /**
   * The theorem above {@link ResourceDivision#next}, over changing jobs, demands, usages and
   * maxima.
   */
  @Test
  void wholeNumbersAddUpToTheMaximum() {
    SeededCases.forAll(
        3_000,
        random -> {
          PadllAlgorithm algorithm = RandomUses.algorithm(random);
          Resource resource = RandomUses.resource(random);
          ResourceDivision division = ResourceDivision.none(resource);
          for (int step = 0; step < 12; step++) {
            if (random.nextInt(4) == 0) {
              resource = RandomUses.resource(random);
            }
            division = division.next(algorithm, resource, RandomUses.jobs(random, resource, 9));
            long sum = 0;
            for (int i = 0; i < division.size(); i++) {
              assertThat(division.wholePerSecond(i)).isNotNegative();
              sum += division.wholePerSecond(i);
            }
            assertThat(sum).isEqualTo(resource.maximumPerSecond());
          }
        });
  }

  @Test
  void whatIsRoundedOffIsCarriedWhileTheSameJobsAreThere() {
    SeededCases.forAll(
        2_000,
        random -> {
          int count = random.nextInt(1, 8);
          Resource resource =
              new Resource("metadata", random.nextLong(60, 1_000), Counted.OPERATIONS);
          PadllAlgorithm algorithm = new UniformLimits(random.nextLong(1, 16));
          List<JobUse> there = jobs("a", "b", "c", "d", "e", "f", "g").subList(0, count);
          ResourceDivision division = ResourceDivision.none(resource);
          double due = 0;
          long got = 0;
          long gotByFirst = 0;
          for (int step = 1; step <= 40; step++) {
            division = division.next(algorithm, resource, there);
            for (int i = 0; i < count; i++) {
              due += division.rate(i);
              got += division.wholePerSecond(i);
            }
            gotByFirst += division.wholePerSecond(0);
            assertThat((double) got).isBetween(due - 1 - 1e-6, due + 1e-6);
            assertThat((double) gotByFirst).isEqualTo(step * division.rate(0), within(1 + 1e-6));
          }
        });
  }

  @Test
  void withOthersThereWhatWasRoundedOffIsWrittenOff() {
    PadllAlgorithm uniform = PadllAlgorithm.named("uniform");
    ResourceDivision first = ResourceDivision.none(TEN).next(uniform, TEN, jobs("a", "b", "c"));
    assertThat(first.wholePerSecond(0)).isEqualTo(4);
    assertThat(first.next(uniform, TEN, jobs("a", "b", "c")).wholePerSecond(0)).isEqualTo(3);
    assertThat(first.next(uniform, TEN, jobs("a", "b", "d")).wholePerSecond(0)).isEqualTo(4);
  }

  @Test
  void nobodyThereIsNobodyLimited() {
    ResourceDivision division =
        ResourceDivision.none(TEN).next(PadllAlgorithm.named("psfa"), TEN, List.of());
    assertThat(division.size()).isZero();
  }

  @Test
  void aJobThatIsThereTwiceIsRefused() {
    assertThatThrownBy(() ->
            ResourceDivision.none(TEN).next(PadllAlgorithm.named("psfa"), TEN, jobs("a", "b", "a")))
        .hasMessage("job a is there more than once");
  }
}
