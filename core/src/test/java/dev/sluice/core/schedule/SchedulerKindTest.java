package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SchedulerKindTest {
  @Test
  void aNameIsAsPeopleWriteIt() {
    assertThat(SchedulerKind.values())
        .extracting(SchedulerKind::text)
        .containsExactly("fifo", "tbf", "fair", "iosets", "mlwdf", "sojourn", "themis");
  }

  @Test
  void threeGoByTheBranchesOfJobs() {
    assertThat(SchedulerKind.values())
        .filteredOn(SchedulerKind::dividesByBranch)
        .containsExactly(SchedulerKind.FAIR, SchedulerKind.SOJOURN, SchedulerKind.THEMIS);
  }

  @Test
  void twoServeFirstWhatIsReserved() {
    assertThat(SchedulerKind.values())
        .filteredOn(SchedulerKind::keepsReserves)
        .containsExactly(SchedulerKind.FAIR, SchedulerKind.SOJOURN);
  }
}
