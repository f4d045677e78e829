package dev.sluice.sim.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.Timeline.Merge;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgreementTest {
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");

  @Test
  void theWorstJobCounts() {
    Agreement agreement = Agreement.of(simulated(), Map.of(A, 100.0, B, 250.0));
    assertThat(agreement.jobs().get(0).difference()).isZero();
    assertThat(agreement.jobs().get(1).difference()).isCloseTo(-0.2, within(1e-12));
    assertThat(agreement.worst()).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void bothMustKnowTheSameJobs() {
    assertThatThrownBy(() -> Agreement.of(simulated(), Map.of(A, 1.0)))
        .hasMessage("job b was simulated, but not measured");
    Map<JobId, Double> more = Map.of(A, 1.0, B, 1.0, JobId.of("c"), 1.0);
    assertThatThrownBy(() -> Agreement.of(simulated(), more)).hasMessageContaining("3 jobs");
  }

  /** Job a moves 100 bytes a second for a second, job b 200. */
  private static Summary simulated() {
    return Summary.of(
        new RunResult(
            "s", "none", 1, 1_000_000_000, 1, 0, 0, List.of(job(A, 100), job(B, 200)), List.of()));
  }

  private static JobResult job(JobId id, long bytes) {
    return new JobResult(
        id,
        "",
        1,
        0,
        0,
        1_000_000_000,
        bytes,
        1,
        1,
        0,
        1,
        LatencySummary.NONE,
        LatencySummary.NONE,
        new Timeline(1, Merge.SUM),
        Map.of());
  }
}
