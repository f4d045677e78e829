package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Over version 4.2, which is what a mount without options asks for first, and over 4.1. The same is
 * asked of the kernel's own server, in a guest that mounts from itself: nothing may fail with the
 * gateway that does not fail there.
 */
@Tag("untimed")
class LinuxFiles4Test extends LinuxFilesContract {
  private static final List<String> REFERENCE_VERSIONS =
      EnduranceScale.FULL
          ? List.of(LinuxGuest.MOUNT_OPTIONS_4, LinuxGuest.MOUNT_OPTIONS_41)
          : List.of(LinuxGuest.MOUNT_OPTIONS_4);

  private final List<LinuxGuest.Script> reference = new ArrayList<>();

  LinuxFiles4Test() {
    super(LinuxGuest.MOUNT_OPTIONS_4, LinuxGuest.MOUNT_OPTIONS_41);
  }

  @Override
  void startMore(GuestNetwork network, int guest, Path directory) throws Exception {
    Path nothing = Files.createDirectory(directory.resolve("nothing"));
    LinuxGuest kernel = boot(network, guest, directory, nothing, "768M");
    for (String mountOptions : REFERENCE_VERSIONS) {
      LinuxGuest.Script script = kernel.mountingWith(mountOptions).begin(ask(reference.size()));
      reference.add(script);
      if (reference.size() < REFERENCE_VERSIONS.size()) {
        script.await(Duration.ofMinutes(6));
      }
    }
  }

  /** Has the kernel serve an export of its own, and asks that. */
  private static String ask(int number) {
    return """
    set -e
    . /run/guest/kernel_server.sh
    if [[ ! -d /run/exports ]]; then furnish_disk; serve_by_kernel; fi
    mkdir -p /run/server/%1$d/many
    (cd /run/server/%1$d/many && seq -f 'entry-%%.0f' %2$d | xargs touch)
    echo %2$d >/run/server/%1$d/many-count
    mount_export /export/%1$d /mnt/%1$d
    mount_export /read-only/%1$d /mnt/read-only-%1$d nosharecache
    mount_export /squashed/%1$d /mnt/%1$d-squashed nosharecache
    mount_export /export/%1$d /mnt/%1$d-ro ro,nosharecache
    SERVER=/run/server/%1$d python3 /run/guest/posix.py /mnt/%1$d /mnt/read-only-%1$d
    """
        .formatted(number, ENTRIES);
  }

  @Test
  void nothingFailsThatWorksWithTheKernelsServer() throws Exception {
    Set<String> failsThere = new TreeSet<>();
    for (LinuxGuest.Script script : reference) {
      LinuxGuest.Result result = script.await(Duration.ofMinutes(6));
      failsThere.addAll(GuestChecks.namesOf(result, false));
      assertThat(failsThere.size() + GuestChecks.namesOf(result, true).size())
          .as("the kernel's server was asked:\n" + result.output())
          .isGreaterThanOrEqualTo(POSIX_CHECKS - 1);
    }
    Set<String> failsHere = new TreeSet<>();
    for (LinuxGuest.Result result : results()) {
      failsHere.addAll(GuestChecks.namesOf(result, false));
    }
    System.out.println("fails with the kernel's server: " + failsThere);
    System.out.println("fails with the gateway: " + failsHere);
    failsHere.removeAll(failsThere);
    assertThat(failsHere).as("fails with the gateway alone").isEmpty();
  }
}
