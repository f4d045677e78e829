package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Jobs whose nodes run the Linux kernel's client get their shares. The bounds are wide, for a
 * machine that does other things, too; {@code ./sluice bench clients} has narrow ones.
 */
@Timeout(600)
@TestInstance(Lifecycle.PER_CLASS)
class LinuxSharesTest {
  private static final int TARGET_MEGABYTES_PER_SECOND = 30;
  private static final int SECONDS = EnduranceScale.of(4, 60);

  private ClientScenarios scenarios;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    scenarios =
        new ClientScenarios(
            directory, 2, "384M", LinuxGuest.MOUNT_OPTIONS, TARGET_MEGABYTES_PER_SECOND);
  }

  @AfterAll
  void end() throws Exception {
    if (scenarios != null) {
      scenarios.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"buffered", "direct"})
  void nodesGetTheirShares(String kind) throws Exception {
    ClientScenarios.Shares shares = scenarios.shares(kind, SECONDS);
    System.out.println(kind + ": " + shares);
    assertThat(shares.percentOfThree()).as(shares.toString()).isBetween(65.0, 85.0);
    assertThat(shares.sum())
        .as(shares.toString())
        .isBetween(0.6 * TARGET_MEGABYTES_PER_SECOND, 1.1 * TARGET_MEGABYTES_PER_SECOND);
  }

  @Test
  void aLimitHoldsForWhatThePageCacheWritesBack() throws Exception {
    double written = scenarios.limited(SECONDS);
    System.out.printf(Locale.ROOT, "limited to 20 MB/s: %.2f MB/s%n", written);
    assertThat(written)
        .isBetween(
            0.7 * ClientScenarios.LIMIT_MEGABYTES_PER_SECOND,
            1.1 * ClientScenarios.LIMIT_MEGABYTES_PER_SECOND);
  }

  @Test
  void attributesComeSoonBesideAStormOfMetadata() throws Exception {
    ClientScenarios.Storm storm = scenarios.storm(SECONDS);
    System.out.println(storm);
    // In the order of arrival each would wait for all of the storm that is there before it.
    assertThat(storm.oneWaitedMillis())
        .as(storm.toString())
        .isLessThan(storm.stormWaitedMillis() / 2);
  }
}
