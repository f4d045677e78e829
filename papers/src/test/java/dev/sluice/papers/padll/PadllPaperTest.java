package dev.sluice.papers.padll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the experiments are made of; a test of the command holds what they conclude. */
class PadllPaperTest {
  @Test
  void theLoadHasTheMeanThatTheCompletionTimesCallForAndItsPartsLoseNothing() {
    SeededCases.forAll(
        50,
        random -> {
          LoadCurve curve = LoadCurve.drawn(random.nextLong());
          double part = random.nextDouble();
          long all = 0;
          long some = 0;
          for (int second = 0; second < LoadCurve.SECONDS; second++) {
            assertThat(curve.operations(part, second)).isNotNegative();
            all += curve.operations(1, second);
            some += curve.operations(part, second);
          }
          assertThat((double) all / LoadCurve.SECONDS).isEqualTo(90_000, within(100.0));
          assertThat((double) some).isEqualTo(part * all, within(1.0));
          assertThat(curve.operations(1, LoadCurve.SECONDS)).isZero();
        });
  }

  /** Whatever the load: nothing is lost, and all jobs together never have more than Max_R. */
  @Test
  void everyOperationIsSubmittedAndNoneBeyondTheMaximum() {
    SeededCases.forAll(
        4,
        random -> {
          LoadCurve curve = LoadCurve.drawn(random.nextLong());
          for (TestScenario scenario : TestScenario.TABLE_I) {
            for (Setup setup : Setup.values()) {
              ScenarioRun run = ScenarioRun.of(scenario, setup, curve);
              if (setup != Setup.BASELINE) {
                assertThat(run.highest()).isLessThanOrEqualTo(TestScenario.MAXIMUM_PER_SECOND);
              }
              for (int i = 0; i < scenario.jobs().size(); i++) {
                double load = scenario.jobs().get(i).load();
                long submitted = 0;
                for (int second = 0; second < run.seconds(); second++) {
                  submitted += run.job(i + 1).served(second);
                }
                long arrived = 0;
                for (int second = 0; second < LoadCurve.SECONDS; second++) {
                  arrived += curve.operations(load, second);
                }
                assertThat(submitted).isEqualTo(arrived);
              }
            }
          }
        });
  }

  @Test
  void limitsAreAddedUpOverTheWindowsThatTheyHoldIn() {
    LimitedReplay.Limits limits =
        new LimitedReplay.Limits("", TokenUnit.OPERATIONS, List.of(100L, 300L), 2);
    assertThat(limits.at(1)).isEqualTo(100);
    assertThat(limits.at(2)).isEqualTo(300);
    assertThat(limits.at(99)).isEqualTo(300);
    assertThat(limits.between(1_500_000_000L, 2_500_000_000L)).isEqualTo(200, within(1e-9));
  }

  /** Twice what is allowed arrives in the first two seconds, and nothing after. */
  @Test
  void whatIsHeldBackIsServedLaterAtTheLimit() {
    LimitedReplay.Load load =
        new LimitedReplay.Load() {
          @Override
          public int seconds() {
            return 4;
          }

          @Override
          public int requests(int second) {
            return second < 2 ? 200 : 0;
          }

          @Override
          public Operation operation(long number) {
            return Operation.OPEN;
          }

          @Override
          public long bytes() {
            return 0;
          }
        };
    LimitedReplay replay =
        LimitedReplay.of(
            load,
            new LimitedReplay.Limits("operation=open", TokenUnit.OPERATIONS, List.of(100L), 10));
    assertThat(replay.served(0)).isBetween(100L, 101L);
    assertThat(replay.served(2)).isEqualTo(100);
    assertThat(replay.secondsAboveArrivals()).isEqualTo(2);
    assertThat(replay.secondsAsArrived()).isZero();
    assertThat(replay.seconds()).isEqualTo(4);
    assertThat(replay.requestsBeyondMost()).isBetween(0.0, 1.0);

    LimitedReplay others =
        LimitedReplay.of(
            load,
            new LimitedReplay.Limits("operation=close", TokenUnit.OPERATIONS, List.of(100L), 10));
    assertThat(others.served(1)).isEqualTo(200);
    assertThat(others.requestsBeyondMost())
        .as("the meter sees what is not limited")
        .isGreaterThan(90);
  }
}
