package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The users of one node share a mount, and so a connection: none waits in another's queue. */
@Timeout(900)
class LinuxUsersTest {
  private static final int TARGET_MEGABYTES_PER_SECOND = 100;
  private static final int SECONDS = EnduranceScale.of(10, 60);

  /** Wide, for a machine that does other things, too: without a cure it is the whole time. */
  private static final double SMALL_P99_MILLIS_MAX = 500;

  private static final double WRITE_P99_MILLIS_MAX = 3_000;

  /** Told at once, 150 calls come back ten times a second, and fill the connection. */
  private static final double DELAYS_PER_SECOND_MAX = 50;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {LinuxGuest.MOUNT_OPTIONS, LinuxGuest.MOUNT_OPTIONS_4})
  void usersOfOneMountDoNotWaitForOneWhoIsHeldBack(String mountOptions) throws Exception {
    try (ClientScenarios scenarios =
        new ClientScenarios(directory, 1, "1200M", mountOptions, TARGET_MEGABYTES_PER_SECOND)) {
      ClientScenarios.Crowd crowd = scenarios.crowd(SECONDS);
      System.out.println(crowd);
      assertThat(crowd.besideSmall().p99Millis())
          .as(crowd.toString())
          .isLessThanOrEqualTo(SMALL_P99_MILLIS_MAX);
      assertThat(crowd.delaysPerSecond())
          .as(crowd.toString())
          .isLessThanOrEqualTo(DELAYS_PER_SECOND_MAX);
      assertThat(crowd.besideWrite().p99Millis())
          .as(crowd.toString())
          .isLessThanOrEqualTo(WRITE_P99_MILLIS_MAX);
      assertThat(crowd.hogMegabytesPerSecond())
          .as(crowd.toString())
          .isBetween(
              0.8 * ClientScenarios.HOG_MEGABYTES_PER_SECOND,
              1.1 * ClientScenarios.HOG_MEGABYTES_PER_SECOND);
    }
  }
}
