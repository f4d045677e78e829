package dev.sluice.studies.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.EnduranceScale;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is promised of a capacity that is found out behind a filter, from sums of a second each. */
class ServiceStudyTest {
  private static final int SHORT_SECONDS = 180;
  private static final int STEADY_SECONDS = EnduranceScale.of(SHORT_SECONDS, 3_600);

  /** Its times in service differ by so much that a mean of some seconds is off by a tenth. */
  private static final String NOISIEST = "a noisy disk";

  static LongStream seeds() {
    return LongStream.rangeClosed(1, EnduranceScale.of(1, 5));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatEveryStorageCanDoIsFoundAndUsed(long seed) {
    SoftAssertions softly = new SoftAssertions();
    int seconds = seed == 1 ? STEADY_SECONDS : SHORT_SECONDS;
    List<ServiceStudy.Row> rows = new ServiceStudy(seed, seconds).run();
    softly.assertThat(rows).hasSize(22);
    for (ServiceStudy.Row row : rows) {
      boolean noisiest = row.name().equals(NOISIEST);
      double off = noisiest ? 0.15 : 0.1;
      softly.assertThat(row.leastBelieved()).as(row.name()).isGreaterThan(1 - off);
      softly.assertThat(row.mostBelieved()).as(row.name()).isLessThan(1 + off);
      softly.assertThat(row.rightPart()).as(row.name() + " is right").isGreaterThan(0.98);
      softly
          .assertThat(row.used())
          .as(row.name() + " is used")
          .isGreaterThan(noisiest ? 0.93 : 0.95);
      softly.assertThat(row.afterHalving()).as(row.name() + " halved").isCloseTo(1, within(off));
      softly.assertThat(row.afterDoubling()).as(row.name() + " doubled").isCloseTo(1, within(0.1));
    }
    softly.assertAll();
  }

  @Test
  void equalSeedsEqualTables() {
    assertThat(ServiceStudy.text(new ServiceStudy(3, 31).run()))
        .isEqualTo(ServiceStudy.text(new ServiceStudy(3, 31).run()));
  }
}
