package dev.sluice.studies.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.testkit.EnduranceScale;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is promised of guarantees and goals, on models of storages in full use. */
class PromisesStudyTest {
  private static final int SECONDS = EnduranceScale.of(330, 3_600);

  /**
   * What is promised, over an hour; in a few minutes the seconds weigh more that learning costs.
   */
  private static final double GOAL_MET = EnduranceScale.of(985, 990) / 1_000.0;

  @ParameterizedTest
  @CsvSource({"true, fair", "false, fair", "true, sojourn"})
  void guaranteesAndGoalsAreKeptSecondBySecond(boolean found, String policy) {
    List<PromisesStudy.Row> rows =
        new PromisesStudy(1, SECONDS, found, PolicyRegistry.named(policy)).run();
    assertThat(rows).hasSize(22);
    SoftAssertions softly = new SoftAssertions();
    for (PromisesStudy.Row row : rows) {
      softly.assertThat(row.guaranteeMet()).as(row.name()).isGreaterThanOrEqualTo(0.99);
      softly.assertThat(row.guaranteeMean()).as(row.name()).isBetween(0.98, 1.2);
      softly.assertThat(row.goalMet()).as(row.name() + ", goal").isGreaterThanOrEqualTo(GOAL_MET);
      softly.assertThat(row.othersKept()).as(row.name() + ", others").isGreaterThan(0.8);
    }
    // Goals that many could not have without others who step back.
    softly
        .assertThat(rows.stream().filter(row -> row.freeMillis() > row.goalMillis()).count())
        .isGreaterThanOrEqualTo(9);
    softly.assertAll();
  }
}
