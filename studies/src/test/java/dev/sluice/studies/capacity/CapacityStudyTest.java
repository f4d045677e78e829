package dev.sluice.studies.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.testkit.EnduranceScale;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is promised of a capacity that is found out, on models of storages. */
class CapacityStudyTest {
  private static final PolicyFactory FAIR = PolicyRegistry.named("fair");
  private static final int SHORT_SECONDS = 180;
  private static final int STEADY_SECONDS = EnduranceScale.of(SHORT_SECONDS, 3_600);

  /** All thresholds were set by looking at the first; others must do as well, at length. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, EnduranceScale.of(1, 5));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatEveryStorageCanDoIsFoundAndUsed(long seed) {
    SoftAssertions softly = new SoftAssertions();
    int seconds = seed == 1 ? STEADY_SECONDS : SHORT_SECONDS;
    // With other seeds two of 88 runs miss ten percent, by no more than two: docs/capacity.md.
    double promised = seed == 1 ? 0.1 : 0.125;
    // In an hour chance is larger once or twice; that is no halving yet.
    double off = seconds == SHORT_SECONDS ? promised : 0.15;
    List<CapacityStudy.Row> rows = new CapacityStudy(seed, seconds, FAIR).run();
    softly.assertThat(rows).hasSize(22);
    for (CapacityStudy.Row row : rows) {
      softly.assertThat(row.leastBelieved()).as(row.name()).isGreaterThan(1 - off);
      softly.assertThat(row.mostBelieved()).as(row.name()).isLessThan(1 + off);
      softly.assertThat(row.rightPart()).as(row.name() + " is right").isGreaterThan(0.99);
      softly.assertThat(row.used()).as(row.name() + " is used").isGreaterThan(0.95);
      softly.assertThat(row.lightRatio()).as(row.name() + ", light job").isLessThan(1.5);
      softly.assertThat(row.afterHalving()).as(row.name() + " halved").isCloseTo(1, within(0.1));
      softly
          .assertThat(row.afterDoubling())
          .as(row.name() + " doubled")
          .isCloseTo(1, within(promised));
    }
    softly.assertAll();
  }

  @Test
  void equalSeedsEqualTables() {
    assertThat(CapacityStudy.text(new CapacityStudy(3, 31, FAIR).run()))
        .isEqualTo(CapacityStudy.text(new CapacityStudy(3, 31, FAIR).run()));
  }

  /** They come to the same number of requests in the storage; on most within five minutes. */
  @Test
  void twoThatDoNotTalkShareAStorage() {
    List<Double> parts = new CapacityStudy(1, 60, FAIR).shared(0, 300);
    assertThat(parts).allSatisfy(part -> assertThat(part).isCloseTo(0.5, within(0.1)));
    assertThat(parts.stream().filter(part -> Math.abs(part - 0.5) <= 0.05).count())
        .isGreaterThanOrEqualTo(17);
  }
}
