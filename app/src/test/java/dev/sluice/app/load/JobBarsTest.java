package dev.sluice.app.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.LiveScreen;
import dev.sluice.core.model.JobId;
import dev.sluice.load.play.JobProgress;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobBarsTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aBarIsWhatAJobGotInTheLastSecond() {
    JobBars bars = new JobBars("fair", 100e6);
    bars.at(List.of(job("a", 0), job("long", 0)), 0, 10 * SECOND);
    bars.at(List.of(job("a", 90_000_000), job("long", 0)), SECOND, 10 * SECOND);
    LiveScreen.Picture picture =
        bars.at(List.of(job("a", 140_000_000), job("long", 100_000_000)), 2 * SECOND, 10 * SECOND);
    assertThat(picture.lines())
        .containsExactly(
            "fair, 2 s of 10 s",
            "  a    [" + "#".repeat(20) + ".".repeat(20) + "]     50 MB/s",
            "  long [" + "#".repeat(40) + "]    100 MB/s");
    assertThat(picture.line()).isEqualTo("fair, 2 s of 10 s: a 50 MB/s, long 100 MB/s");
  }

  @Test
  void whereNoByteMovesOperationsCount() {
    JobBars bars = new JobBars("metadata", 0);
    bars.at(List.of(new JobProgress(JobId.of("m"), 0, 0, 1, true, false)), 0, SECOND);
    assertThat(
            bars.at(
                    List.of(new JobProgress(JobId.of("m"), 0, 500, 1, true, true)),
                    SECOND / 2,
                    SECOND)
                .lines()
                .get(1))
        .contains("#".repeat(40))
        .contains("1 kops/s")
        .endsWith("done");
  }

  private static JobProgress job(String id, long bytes) {
    return new JobProgress(JobId.of(id), bytes, 1, 1, true, false);
  }
}
