package dev.sluice.core.policy.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CycleSettingTest {
  private static final long SECOND = 1_000_000_000L;

  private static PolicyInfo needing(PolicyInfo.Need... needs) {
    return new PolicyInfo(
        "some",
        "",
        "",
        "",
        PolicyInfo.Scope.ALL_TARGETS,
        SECOND,
        SchedulerKind.FIFO,
        Set.of(needs),
        List.of());
  }

  @Test
  void whoDoesNotNeedDemandDecidesWithoutIt() {
    assertThat(CycleSetting.of(needing(PolicyInfo.Need.NODES), SECOND))
        .isEqualTo(new CycleSetting(SECOND, true, 0));
    assertThat(CycleSetting.of(needing(PolicyInfo.Need.DEMAND), 2 * SECOND, 7))
        .isEqualTo(new CycleSetting(2 * SECOND, false, 7));
  }

  @Test
  void aDecisionStaysForThreePeriodsAndAtLeastFiveSeconds() {
    assertThat(new CycleSetting(1, true, 0).graceNanos()).isEqualTo(5 * SECOND);
    assertThat(new CycleSetting(2 * SECOND, true, 0).graceNanos()).isEqualTo(6 * SECOND);
  }

  @Test
  void aPeriodIsANanosecondToAnHour() {
    assertThat(new CycleSetting(1, true, 0).periodNanos()).isEqualTo(1);
    long hour = Observation.PERIOD_NANOS_MAX;
    assertThat(new CycleSetting(hour, true, 0).periodNanos()).isEqualTo(hour);
    for (long wrong : new long[] {0, hour + 1}) {
      assertThatThrownBy(() -> new CycleSetting(wrong, true, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a period must be 1 ns to 1 h");
    }
  }
}
