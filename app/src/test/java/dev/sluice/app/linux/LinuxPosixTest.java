package dev.sluice.app.linux;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the Linux kernel's client finds behind a mount is a file system as POSIX describes it. */
@Timeout(900)
class LinuxPosixTest {
  private static final int ENTRIES = 100_000;
  private static final int CHECKS = 40;

  @TempDir private Path directory;

  @TestFactory
  List<DynamicTest> keepsWhatPosixPromises() throws Exception {
    Path export = Files.createDirectory(directory.resolve("export"));
    Path many = Files.createDirectory(export.resolve("many"));
    for (int i = 0; i < ENTRIES; i++) {
      Files.createFile(many.resolve("entry-" + i));
    }
    Files.writeString(export.resolve("many-count"), Integer.toString(ENTRIES));
    String clients = "clients: [" + GuestNetwork.everybody() + "]";
    String configuration =
        """
        targets: {disk: {capacity: measure}}
        exports:
          /export: {directory: %1$s, squash: none, %2$s}
          /read-only: {directory: %1$s, read-only: true, squash: none, %2$s}
          /squashed: {directory: %1$s, %2$s}
        """
            .formatted(export, clients);
    try (GuestNetwork network = GuestNetwork.make(1);
        GuestGateway _ = GuestGateway.start(network, directory.resolve("gateway"), configuration);
        LinuxGuest guest =
            LinuxGuest.boot(network, 1, directory.resolve("guest"), export, "384M")) {
      LinuxGuest.Result result =
          guest.run(
              """
              set -e
              mount_export /export /mnt/export
              mount_export /read-only /mnt/read-only nosharecache
              mount_export /squashed /mnt/export-squashed nosharecache
              mount_export /export /mnt/export-ro ro,nosharecache
              echo "ok mounts_as_the_documents_say"
              python3 /run/guest/posix.py /mnt/export /mnt/read-only
              """,
              Duration.ofMinutes(5));
      System.out.println(result.output());
      return GuestChecks.of(result, CHECKS);
    }
  }
}
