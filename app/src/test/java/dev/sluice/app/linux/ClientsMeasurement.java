package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures what jobs and users get of a target of 100 MB/s with the Linux kernel's client, each
 * figure against its bar. {@code ./sluice bench clients} runs it, and fails where a bar is missed;
 * it is no part of the gate.
 */
class ClientsMeasurement {
  private static final int TARGET_MEGABYTES_PER_SECOND = 100;
  private static final int SECONDS = 20;
  private static final int CROWD_SECONDS = 60;

  @TempDir private Path directory;
  private final List<String> missed = new ArrayList<>();

  @Test
  void measure() throws Exception {
    Path jobs = Files.createDirectory(directory.resolve("jobs"));
    try (ClientScenarios scenarios =
        new ClientScenarios(
            jobs, 2, "512M", LinuxGuest.MOUNT_OPTIONS, TARGET_MEGABYTES_PER_SECOND)) {
      for (String kind : List.of("buffered", "direct")) {
        ClientScenarios.Shares shares = scenarios.shares(kind, SECONDS);
        System.out.println(kind + " writes: " + shares);
        hold(kind + ": share of the three nodes, %", shares.percentOfThree(), 72, 78);
        hold(kind + ": MB/s of both", shares.sum(), 97, 103);
      }
      hold("a limit of 20 MB/s", scenarios.limited(SECONDS), 19.5, 20.5);
      ClientScenarios.Storm storm = scenarios.storm(SECONDS);
      System.out.println(storm);
      hold(
          "wait for a turn beside a storm, of the storm's own",
          storm.oneWaitedMillis() / storm.stormWaitedMillis(),
          0,
          0.25);
    }
    measureUsers("version 3", LinuxGuest.MOUNT_OPTIONS);
    measureUsers("version 4.2", LinuxGuest.MOUNT_OPTIONS_4);
    assertThat(missed).as("bars that were missed").isEmpty();
  }

  private void measureUsers(String version, String mountOptions) throws Exception {
    Path users = Files.createDirectory(directory.resolve("users-" + version.replace(" ", "-")));
    try (ClientScenarios scenarios =
        new ClientScenarios(users, 1, "1200M", mountOptions, TARGET_MEGABYTES_PER_SECOND)) {
      ClientScenarios.Crowd crowd = scenarios.crowd(CROWD_SECONDS);
      System.out.println(crowd);
      hold(version + ": p99 of small things beside a hog, times", crowd.smallTimes(), 0, 3);
      // Its writes are counted whole, each of them a sixtieth of what it may write meanwhile.
      hold(version + ": a hog held to 1 MB/s", crowd.hogMegabytesPerSecond(), 0.97, 1.02);
    }
  }

  /** Says a figure and whether it is within its bars. */
  private void hold(String what, double value, double least, double most) {
    boolean held = value >= least && value <= most;
    String line =
        String.format(
            Locale.ROOT,
            "  %-52s %8.2f  %s to %s  %s",
            what,
            value,
            least,
            most,
            held ? "holds" : "MISSED");
    System.out.println(line);
    if (!held) {
      missed.add(line);
    }
  }
}
