package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class AttendanceTest {
  /** The theorem of {@link Attendance}. */
  @Test
  void whoKeepsSilentIsWaitedForSeldom() {
    SeededCases.forAll(
        EnduranceScale.of(300, 5_000),
        random -> {
          Attendance attendance = new Attendance();
          double honesty = random.nextDouble();
          int inVain = 0;
          int rounds = 200;
          for (int round = 1; round <= rounds; round++) {
            boolean reports = random.nextDouble() < honesty;
            inVain += !reports && attendance.isWaitedFor("x") ? 1 : 0;
            if (reports) {
              attendance.reported("x");
            } else {
              attendance.missed("x");
            }
            assertThat(inVain)
                .isLessThanOrEqualTo(
                    Attendance.PATIENCE_ROUNDS + round / Attendance.REPORTS_PER_ROUND);
            assertThat(attendance.isWaitedFor("honest")).isTrue();
          }
          for (int i = 0; i < Attendance.PATIENCE_ROUNDS * Attendance.REPORTS_PER_ROUND; i++) {
            attendance.reported("x");
            assertThat(attendance.isSilent("x")).isFalse();
          }
          assertThat(attendance.isWaitedFor("x")).as("whoever is honest again").isTrue();
        });
  }
}
