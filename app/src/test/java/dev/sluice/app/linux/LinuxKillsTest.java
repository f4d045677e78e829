package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway that is killed under the Linux kernel's client loses nothing, and all goes on. */
@Tag("untimed")
class LinuxKillsTest {
  private static final int KILLS = EnduranceScale.of(2, 100);
  private static final int PROCESSES = 3;
  private static final long STEPS_BETWEEN_KILLS = 10;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {LinuxGuest.MOUNT_OPTIONS, LinuxGuest.MOUNT_OPTIONS_4})
  @Timeout(3_600)
  void losesNothingAndGoesOnWhenTheGatewayIsKilled(String mountOptions) throws Exception {
    SplittableRandom random = new SplittableRandom(17);
    Path export = Files.createDirectory(directory.resolve("export"));
    String configuration =
        """
        nfs4: true
        targets: {disk: {capacity: auto}}
        exports: {/export: {directory: %s, squash: none, clients: [%s]}}
        """
            .formatted(export, GuestNetwork.everybody());
    try (GuestNetwork network = GuestNetwork.make(1);
        GuestGateway gateway =
            GuestGateway.start(network, directory.resolve("gateway"), configuration);
        LinuxGuest guest =
            LinuxGuest.boot(network, 1, directory.resolve("guest"), export, "512M")
                .mountingWith(mountOptions)) {
      LinuxGuest.Script load =
          guest.begin(
              """
              mount_export /export /mnt/export || exit
              verify_over_and_over() {
                until [[ -e /run/guest/stop ]]; do
                  fio --name=f --filename=/mnt/export/fio --size=8m --bs=32k --rw=randwrite \
                    --ioengine=psync --verify=crc32c --verify_fatal=1 --output-format=terse \
                    || return
                done
              }
              if command -v fio >/dev/null; then check fio_verifies verify_over_and_over & fi
              python3 /run/guest/verified_load.py /mnt/export %d
              wait
              """
                  .formatted(PROCESSES));
      awaitProgress(guest, load);
      for (int i = 0; i < KILLS; i++) {
        TimePasses.forMillis(random.nextInt(500));
        gateway.killAndRestart();
        awaitProgress(guest, load);
      }
      Files.createFile(guest.shared("stop"));
      String said = load.await(Duration.ofMinutes(4)).orFail();
      System.out.println(said);
      assertThat(said).contains("ok nothing_was_lost").doesNotContain("not ok");
    }
  }

  /** Waits until every process has done something with the gateway that there is now. */
  private static void awaitProgress(LinuxGuest guest, LinuxGuest.Script load) throws Exception {
    long[] goals = steps(guest);
    Eventually.await(
        "the load goes on",
        () -> {
          if (load.hasEnded()) {
            throw new AssertionError(load.await(Duration.ZERO).output());
          }
          long[] now = steps(guest);
          return LongStream.range(0, PROCESSES)
              .allMatch(i -> now[(int) i] >= goals[(int) i] + STEPS_BETWEEN_KILLS);
        });
  }

  private static long[] steps(LinuxGuest guest) throws IOException {
    long[] steps = new long[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
      Path file = guest.shared("steps-" + i);
      steps[i] = Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
    }
    return steps;
  }
}
