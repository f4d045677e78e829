package dev.sluice.history.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.history.model.Sample;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL, many times, in the middle of writing: nothing that was recorded is lost or changed. */
@Timeout(300)
class KilledWriterTest {
  private static final int KILLS = 15;
  private static final long FIRST = 1_800_000_000L;

  @TempDir Path directory;

  @Test
  void aWriterThatIsKilledLosesAtMostWhatItWasWriting() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    long acknowledged = FIRST;
    for (int i = 0; i < KILLS; i++) {
      acknowledged = writeAndKill(acknowledged, random.nextInt(1, 120));
      List<Sample> seconds = read(Resolution.SECOND);
      long kept = seconds.getLast().endMillis() / 1_000;
      assertThat(kept).as("what was acknowledged is there").isGreaterThanOrEqualTo(acknowledged);
      for (Sample sample : seconds) {
        assertThat(sample).isEqualTo(SampleCases.ofSecond(sample.endMillis() / 1_000));
      }
      assertThat(seconds.stream().map(Sample::endMillis))
          .isSorted()
          .doesNotHaveDuplicates()
          .hasSize((int) (kept - FIRST));
      acknowledged = kept;
    }
    HistoryStore.open(directory, HistoryStore.BYTES_DEFAULT, 1_000 * acknowledged).close();
    for (Resolution coarse : List.of(Resolution.TEN_SECONDS, Resolution.MINUTE)) {
      List<Sample> samples = read(coarse);
      long span = coarse.spanMillis();
      assertThat(samples).hasSizeGreaterThan(2);
      for (int i = 0; i < samples.size(); i++) {
        assertThat(samples.get(i).endMillis())
            .as("none is missing and none there twice")
            .isEqualTo((1_000 * FIRST / span + 1 + i) * span);
        assertThat((long) samples.get(i).spanMillis()).isEqualTo(span);
      }
    }
  }

  /** Starts a writer, kills it after so many samples, and says which it acknowledged last. */
  private long writeAndKill(long afterSecond, int samples)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                directory.toString(),
                Long.toString(afterSecond))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long acknowledged = afterSecond;
    try (BufferedReader out = process.inputReader()) {
      for (int i = 0; i < samples; i++) {
        acknowledged = Long.parseLong(String.valueOf(out.readLine()));
      }
      process.destroyForcibly().waitFor();
    }
    return acknowledged;
  }

  private List<Sample> read(Resolution resolution) throws IOException {
    List<Sample> samples = new ArrayList<>();
    new HistoryFiles(directory).samples(resolution, 0, Long.MAX_VALUE, samples::add);
    return samples;
  }
}
